//! A workgroup: its memory and its warps.

use std::sync::Arc;

use super::barrier;
use super::state::{Core, GroupMemory, Warp};
use crate::machine::{Fault, Stopped, WARP, Wait};
use crate::report::FindingKind;

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
        let memory = GroupMemory::new(core);
        let warps = (core.shape.threads as usize).div_ceil(WARP);
        Self { memory, warps: (0..warps).map(|warp| Warp::new(warp, core)).collect() }
    }

    /// Begins as the group of a number, which has a rank in the cluster of a number.
    pub(super) fn reset(&mut self, number: u64, rank: u32, cluster: u64, core: &Core) {
        self.memory.reset(number, rank, cluster, self.warps.len(), core);
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
