//! Special registers.

use std::array;

use super::lanes::Lanes;

macro_rules! specials {
    ($($variant:ident = $name:literal),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
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

    /// The special register of a number.
    pub(crate) fn of(number: u32) -> Self {
        ALL.get(number as usize).map_or(Self::ThreadX, |(_, special)| *special)
    }
}

impl Lanes<'_> {
    /// The values of the lanes.
    pub(crate) fn special(&self, special: Special) -> [u64; 32] {
        let shape = &self.core.shape;
        let thread = |axis: usize| {
            array::from_fn(|lane| u64::from(shape.thread(self.identity.first_thread + lane as u32)[axis]))
        };
        let same = |value: u64| [value; 32];
        let of_lane = |f: fn(u32) -> u32| array::from_fn(|lane| u64::from(f(lane as u32)));
        match special {
            Special::ThreadX => thread(0),
            Special::ThreadY => thread(1),
            Special::ThreadZ => thread(2),
            Special::BlockX => same(shape.block[0].into()),
            Special::BlockY => same(shape.block[1].into()),
            Special::BlockZ => same(shape.block[2].into()),
            Special::GroupX => same(self.group.position[0].into()),
            Special::GroupY => same(self.group.position[1].into()),
            Special::GroupZ => same(self.group.position[2].into()),
            Special::GridX => same(shape.grid[0].into()),
            Special::GridY => same(shape.grid[1].into()),
            Special::GridZ => same(shape.grid[2].into()),
            Special::ClusterX => same((self.group.position[0] / shape.cluster[0]).into()),
            Special::ClusterY => same((self.group.position[1] / shape.cluster[1]).into()),
            Special::ClusterZ => same((self.group.position[2] / shape.cluster[2]).into()),
            Special::ClustersX => same((shape.grid[0] / shape.cluster[0]).into()),
            Special::ClustersY => same((shape.grid[1] / shape.cluster[1]).into()),
            Special::ClustersZ => same((shape.grid[2] / shape.cluster[2]).into()),
            Special::InClusterX => same((self.group.position[0] % shape.cluster[0]).into()),
            Special::InClusterY => same((self.group.position[1] % shape.cluster[1]).into()),
            Special::InClusterZ => same((self.group.position[2] % shape.cluster[2]).into()),
            Special::OfClusterX => same(shape.cluster[0].into()),
            Special::OfClusterY => same(shape.cluster[1].into()),
            Special::OfClusterZ => same(shape.cluster[2].into()),
            Special::Rank => same(self.group.rank.into()),
            Special::Ranks => same(shape.groups_of_cluster()),
            Special::Lane => of_lane(|lane| lane),
            Special::Warp => same((self.identity.first_thread / 32).into()),
            Special::Warps => same(64),
            Special::MaskEqual => of_lane(|lane| 1 << lane),
            Special::MaskLess => of_lane(|lane| (1 << lane) - 1),
            Special::MaskLessEqual => of_lane(|lane| u32::MAX >> (31 - lane)),
            Special::MaskGreater => of_lane(|lane| !(u32::MAX >> (31 - lane))),
            Special::MaskGreaterEqual => of_lane(|lane| u32::MAX << lane),
            Special::Clock => same(self.clock & 0xffff_ffff),
            Special::ClockHigh => same(self.clock >> 32),
            Special::Clock64 => same(self.clock),
            Special::Timer => same(self.core.nanoseconds()),
            Special::TimerLow => same(self.core.nanoseconds() & 0xffff_ffff),
            Special::TimerHigh => same(self.core.nanoseconds() >> 32),
            Special::Multiprocessor => same(self.core.worker),
            Special::Multiprocessors => same(self.core.workers),
            Special::GridNumber | Special::GraphExec | Special::Zero => same(0),
            // None of the workgroup memory is the system's own.
            Special::ReservedBegin
            | Special::ReservedEnd
            | Special::ReservedCap
            | Special::Reserved0
            | Special::Reserved1 => same(0),
            Special::AggregateShared => same(shape.shared.into()),
            Special::WorkspaceHigh => same(self.core.shared.workspace >> 32),
            Special::WorkspaceLow => same(self.core.shared.workspace & 0xffff_ffff),
            Special::DynamicShared => same(shape.dynamic_shared.into()),
            Special::TotalShared => same(shape.shared.into()),
        }
    }
}
