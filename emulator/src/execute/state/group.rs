//! What the warps of a group share.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::bulk_copies::BulkCopies;
use super::core::Core;
use super::mbarriers::Mbarriers;
use crate::checks::{Brought, Cell, Clocks};
use crate::machine::{AlternativeBytes, Copies, PendingProducts, UnwrittenRead, Workspace};

/// Barriers of a group.
pub(crate) const BARRIERS: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct BarrierState {
    /// Number of threads that came by without waiting.
    pub(crate) arrived: u32,
    /// Clocks that threads brought.
    pub(crate) clocks: Brought,
}

/// What the warps of a group share.
#[derive(Debug)]
pub(crate) struct GroupMemory {
    pub(crate) position: [u32; 3],
    pub(crate) number: u32,
    /// The number of the group's cluster.
    pub(crate) cluster: u32,
    /// The group's number in its cluster.
    pub(crate) rank: u32,
    pub(crate) shared: Rc<Workspace>,
    pub(crate) cells: Vec<Cell>,
    /// Bytes of a cell.
    pub(crate) grain: u64,
    pub(crate) clocks: Clocks,
    pub(crate) barriers: [BarrierState; BARRIERS],
    /// What threads brought to the cluster's barrier that isn't complete, and what those before them brought to the last one.
    pub(crate) to_cluster: Brought,
    pub(crate) of_cluster: Brought,
    pub(crate) copies: Copies,
    pub(crate) bulk_copies: BulkCopies,
    pub(crate) mbarriers: Mbarriers,
    /// Products of warpgroups that nobody has waited for.
    pub(crate) products: PendingProducts,
    /// Bytes of workgroup memory of which divisions by zero, or bytes that nothing wrote, decide.
    pub(crate) alternatives: AlternativeBytes,
    /// The last reads of bytes that nothing wrote, by the operation and the thread.
    pub(crate) unwritten_reads: BTreeMap<(u32, u32), UnwrittenRead>,
}

impl GroupMemory {
    pub(crate) fn new(core: &Core) -> Self {
        let bytes = core.shape.shared as usize;
        let grain = u64::from(core.shared.entry().finest_shared);
        let checks = core.checks;
        Self {
            position: [0; 3],
            number: 0,
            cluster: 0,
            rank: 0,
            shared: Rc::new(Workspace::new(bytes, checks.uninitialised_workgroup)),
            cells: if checks.workgroup_races {
                vec![Cell::default(); bytes.div_ceil(grain as usize)]
            } else {
                Vec::new()
            },
            grain,
            clocks: Clocks::default(),
            barriers: Default::default(),
            to_cluster: Brought::default(),
            of_cluster: Brought::default(),
            copies: Copies::default(),
            bulk_copies: BulkCopies::default(),
            mbarriers: Mbarriers::default(),
            products: PendingProducts::default(),
            alternatives: AlternativeBytes::default(),
            unwritten_reads: BTreeMap::new(),
        }
    }

    /// Begins as the memory of the group of a number, which has a rank in the cluster of a number, and so many warps.
    pub(crate) fn reset(&mut self, number: u64, rank: u32, cluster: u64, warps: usize, core: &Core) {
        self.position = core.shape.group(number);
        self.number = number as u32;
        self.cluster = cluster as u32;
        self.rank = rank;
        self.shared.clear();
        self.cells.fill(Cell::default());
        self.clocks.reset(self.number, warps);
        self.barriers = Default::default();
        self.to_cluster = Brought::default();
        self.of_cluster = Brought::default();
        self.copies.clear();
        self.bulk_copies.clear();
        self.mbarriers.clear();
        self.products.clear();
        self.alternatives.clear();
        self.unwritten_reads.clear();
    }

    pub(crate) fn came_by(&mut self, number: u32, warp: usize, threads: u32) {
        let state = &mut self.barriers[number as usize % BARRIERS];
        state.arrived += threads;
        self.clocks.arrive(warp, &mut state.clocks);
    }
}
