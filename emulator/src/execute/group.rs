//! A workgroup: its memory and its warps.

use std::sync::Arc;

use super::async_copy::Copies;
use super::barrier;
use super::core::{Core, Fault};
use super::fragment::Wait;
use super::warp::{Stopped, Warp};
use crate::checks::{Acquired, Cell, Clocks};
use crate::report::FindingKind;

/// Barriers of a group.
pub(super) const BARRIERS: usize = 16;

#[derive(Debug, Default)]
pub(super) struct BarrierState {
    /// Threads that came by without waiting.
    pub(super) arrived: u32,
    /// What they brought.
    pub(super) clocks: Vec<u32>,
}

/// What the warps of a group share.
#[derive(Debug)]
pub(crate) struct GroupMemory {
    pub(crate) position: [u32; 3],
    pub(crate) number: u32,
    /// Sixteen bytes each, for the alignment.
    pub(crate) shared: Vec<u128>,
    /// One bit a byte.
    pub(crate) written: Vec<u64>,
    pub(crate) cells: Vec<Cell>,
    /// Bytes of a cell.
    pub(crate) grain: u64,
    pub(crate) clocks: Clocks,
    pub(super) barriers: [BarrierState; BARRIERS],
    /// Device fences so far.
    pub(crate) fence_count: u16,
    /// What is ordered before the last of them.
    pub(crate) fenced: Option<u16>,
    pub(crate) acquired: Acquired,
    pub(super) copies: Copies,
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
    memory: GroupMemory,
    warps: Vec<Warp>,
}

impl Group {
    pub(super) fn new(core: &Core) -> Self {
        let bytes = core.shape.shared as usize;
        let grain = u64::from(core.shared.entry().finest_shared);
        let checks = core.checks;
        let memory = GroupMemory {
            position: [0; 3],
            number: 0,
            shared: vec![0; bytes.div_ceil(16)],
            written: if checks.uninitialised_workgroup { vec![0; bytes.div_ceil(64)] } else { Vec::new() },
            cells: if checks.workgroup_races {
                vec![Cell::default(); bytes.div_ceil(grain as usize)]
            } else {
                Vec::new()
            },
            grain,
            clocks: Clocks::default(),
            barriers: Default::default(),
            fence_count: 0,
            fenced: None,
            acquired: Acquired::new(),
            copies: Copies::default(),
        };
        let warps = (core.shape.threads as usize).div_ceil(super::WARP);
        Self { memory, warps: (0..warps).map(Warp::new).collect() }
    }

    /// Begins as the group of a number.
    pub(super) fn reset(&mut self, number: u64, core: &Core) {
        let memory = &mut self.memory;
        memory.position = core.shape.group(number);
        memory.number = number as u32;
        memory.shared.fill(0);
        memory.written.fill(0);
        memory.cells.fill(Cell::default());
        memory.clocks.reset(self.warps.len());
        memory.barriers = Default::default();
        memory.fence_count = 0;
        memory.fenced = None;
        memory.acquired.clear();
        memory.copies.clear();
        self.warps.iter_mut().for_each(|warp| warp.reset(core));
    }

    /// Lets each warp run for a while. True when all have ended.
    pub(super) fn step(&mut self, core: &mut Core) -> Result<bool, Stopped> {
        for warp in &mut self.warps {
            if warp.is_ready() {
                warp.run(core, &mut self.memory)?;
            }
        }
        if self.warps.iter().all(Warp::is_finished) {
            core.groups += 1;
            return Ok(true);
        }
        let released = barrier::release(&mut self.warps, core, &mut self.memory);
        if !released && !self.warps.iter().any(Warp::is_ready) {
            self.deadlock(core);
            return Err(Stopped);
        }
        Ok(false)
    }

    /// Tells where the threads wait.
    fn deadlock(&mut self, core: &mut Core) {
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
