//! Special registers, and what else only the machine around a warp's registers knows.

use crate::machine::{Predicate, Slot};

macro_rules! specials {
    ($($variant:ident = $name:literal),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Special {
            $($variant),*
        }

        const ALL: &[(&str, Special)] = &[$(($name, Special::$variant)),*];
    };
}

specials! {
    ThreadX = "%tid.x", ThreadY = "%tid.y", ThreadZ = "%tid.z",
    BlockX = "%ntid.x", BlockY = "%ntid.y", BlockZ = "%ntid.z",
    GroupX = "%ctaid.x", GroupY = "%ctaid.y", GroupZ = "%ctaid.z",
    GridX = "%nctaid.x", GridY = "%nctaid.y", GridZ = "%nctaid.z",
    ClusterX = "%clusterid.x", ClusterY = "%clusterid.y", ClusterZ = "%clusterid.z",
    ClustersX = "%nclusterid.x", ClustersY = "%nclusterid.y", ClustersZ = "%nclusterid.z",
    InClusterX = "%cluster_ctaid.x", InClusterY = "%cluster_ctaid.y", InClusterZ = "%cluster_ctaid.z",
    OfClusterX = "%cluster_nctaid.x", OfClusterY = "%cluster_nctaid.y", OfClusterZ = "%cluster_nctaid.z",
    Rank = "%cluster_ctarank", Ranks = "%cluster_nctarank",
    Lane = "%laneid", Warp = "%warpid", Warps = "%nwarpid",
    MaskEqual = "%lanemask_eq", MaskLess = "%lanemask_lt", MaskLessEqual = "%lanemask_le",
    MaskGreater = "%lanemask_gt", MaskGreaterEqual = "%lanemask_ge",
    Clock = "%clock", ClockHigh = "%clock_hi", Clock64 = "%clock64",
    Timer = "%globaltimer", TimerLow = "%globaltimer_lo", TimerHigh = "%globaltimer_hi",
    Multiprocessor = "%smid", Multiprocessors = "%nsmid", GridNumber = "%gridid",
    AggregateShared = "%aggr_smem_size", ReservedBegin = "%reserved_smem_offset_begin",
    ReservedEnd = "%reserved_smem_offset_end", ReservedCap = "%reserved_smem_offset_cap",
    Reserved0 = "%reserved_smem_offset_0", Reserved1 = "%reserved_smem_offset_1",
    Zero = "%envreg0", GraphExec = "%current_graph_exec", WorkspaceHigh = "%envreg1", WorkspaceLow = "%envreg2",
    DynamicShared = "%dynamic_smem_size", TotalShared = "%total_smem_size",
}

/// What an instruction asks of the machine around a warp's registers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question {
    /// The values of a special register, for a row of so many bits.
    Special { register: Special, result: Slot, bits: u8 },
    /// Whether the launch has clusters.
    IsClustered { result: Predicate },
    /// Whether addresses are of constants.
    IsConstant { address: Slot, result: Predicate },
}

/// Whether a register reads as zero: counters of performance, which nobody set up, and what a driver may say but doesn't.
fn is_zero(name: &str) -> bool {
    let numbered = |stem: &str, end: &str, most: u32| {
        let number = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(end));
        number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number <= most)
    };
    numbered("%pm", "", 7) || numbered("%pm", "_64", 7) || numbered("%envreg", "", 31)
}

impl Special {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let found = ALL.iter().find(|(known, _)| *known == name).map(|(_, special)| *special);
        found.or_else(|| is_zero(name).then_some(Self::Zero))
    }
}
