//! A workgroup: its memory and its warps.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::alternative_bytes::AlternativeBytes;
use super::async_copy::Copies;
use super::barrier;
use super::bulk_copy::BulkCopies;
use super::cluster::Workspace;
use super::core::{Core, Fault};
use super::fragment::Wait;
use super::matrix::PendingProducts;
use super::mbarrier::Mbarriers;
use super::unwritten::UnwrittenRead;
use super::warp::{Stopped, Warp};
use crate::checks::{Brought, Cell, Clocks};
use crate::report::FindingKind;

/// Barriers of a group.
pub(super) const BARRIERS: usize = 16;

#[derive(Debug, Default)]
pub(super) struct BarrierState {
    /// Number of threads that came by without waiting.
    pub(super) arrived: u32,
    /// Clocks that threads brought.
    pub(super) clocks: Brought,
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
    pub(super) barriers: [BarrierState; BARRIERS],
    /// What threads brought to the cluster's barrier that isn't complete, and what those before them brought to the last one.
    pub(super) to_cluster: Brought,
    pub(super) of_cluster: Brought,
    pub(super) copies: Copies,
    pub(super) bulk_copies: BulkCopies,
    pub(super) mbarriers: Mbarriers,
    /// Products of warpgroups that nobody has waited for.
    pub(super) products: PendingProducts,
    /// Bytes of workgroup memory of which divisions by zero, or bytes that nothing wrote, decide.
    pub(super) alternatives: AlternativeBytes,
    /// The last reads of bytes that nothing wrote, by the operation and the thread.
    pub(super) unwritten_reads: BTreeMap<(u32, u32), UnwrittenRead>,
}

impl GroupMemory {
    pub(super) fn came_by(&mut self, number: u32, warp: usize, threads: u32) {
        let state = &mut self.barriers[number as usize % BARRIERS];
        state.arrived += threads;
        self.clocks.arrive(warp, &mut state.clocks);
    }
}

#[derive(Debug)]
pub(super) struct Group {
    pub(super) memory: GroupMemory,
    pub(super) warps: Vec<Warp>,
}

/// How a group's turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Ended,
    /// The group goes on at the next turn.
    Ran,
    /// Nothing goes on before the cluster's barrier is complete.
    Waits,
}

impl Group {
    pub(super) fn new(core: &Core) -> Self {
        let bytes = core.shape.shared as usize;
        let grain = u64::from(core.shared.entry().finest_shared);
        let checks = core.checks;
        let memory = GroupMemory {
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
        };
        let warps = (core.shape.threads as usize).div_ceil(super::WARP);
        Self { memory, warps: (0..warps).map(|warp| Warp::new(warp, core)).collect() }
    }

    /// Begins as the group of a number, which has a rank in the cluster of a number.
    pub(super) fn reset(&mut self, number: u64, rank: u32, cluster: u64, core: &Core) {
        let memory = &mut self.memory;
        memory.position = core.shape.group(number);
        memory.number = number as u32;
        memory.cluster = cluster as u32;
        memory.rank = rank;
        memory.shared.clear();
        memory.cells.fill(Cell::default());
        memory.clocks.reset(memory.number, self.warps.len());
        memory.barriers = Default::default();
        memory.to_cluster = Brought::default();
        memory.of_cluster = Brought::default();
        memory.copies.clear();
        memory.bulk_copies.clear();
        memory.mbarriers.clear();
        memory.products.clear();
        memory.alternatives.clear();
        memory.unwritten_reads.clear();
        self.warps.iter_mut().for_each(|warp| warp.reset(core));
    }

    /// Lets each warp run for a while.
    pub(super) fn step(&mut self, core: &mut Core) -> Result<Turn, Stopped> {
        for warp in &mut self.warps {
            if warp.is_ready() {
                warp.run(core, &mut self.memory)?;
            }
        }
        if self.warps.iter().all(Warp::is_finished) {
            core.groups += 1;
            self.memory.bulk_copies.report(core, self.memory.position);
            return Ok(Turn::Ended);
        }
        let released = barrier::release(&mut self.warps, core, &mut self.memory);
        let goes_on = released || self.warps.iter().any(Warp::is_ready);
        Ok(if goes_on { Turn::Ran } else { Turn::Waits })
    }

    /// Tells where the threads wait.
    pub(super) fn deadlock(&mut self, core: &mut Core) {
        let image = Arc::clone(&core.shared.image);
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut first = None;
        for (warp_index, warp) in self.warps.iter().enumerate() {
            for (index, fragment) in
                warp.fragments.iter().enumerate().filter(|(_, one)| one.wait != Wait::Ready)
            {
                let frame = fragment.frame();
                let line = image.functions[frame.function as usize]
                    .ops
                    .get(frame.pc as usize)
                    .map_or(0, |op| op.line);
                let threads = fragment.mask.count_ones();
                match waiting.iter_mut().find(|(known, _)| *known == line) {
                    Some((_, count)) => *count += threads,
                    None => waiting.push((line, threads)),
                }
                first = first.or(Some((warp_index, index)));
            }
        }
        waiting.sort_by_key(|(_, threads)| std::cmp::Reverse(*threads));
        waiting.truncate(4);
        if let Some((warp, index)) = first {
            let warp = &mut self.warps[warp];
            let lane = warp.fragments[index].mask.trailing_zeros() as usize;
            let fault = Fault { lane, kind: FindingKind::Deadlock { waiting } };
            warp.lanes(index, core, &mut self.memory).fault(fault);
        }
    }
}
