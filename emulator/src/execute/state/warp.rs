//! A warp: its registers, its threads' memory, and its lanes in fragments.

use super::active_lanes::{ActiveLanes, Identity};
use super::core::Core;
use super::group::GroupMemory;
use crate::instruction::FunctionCode;
use crate::machine::{Alternatives, Fragment, Frame, Lanes, Local, Registers, Start, WARP, Wait};

#[derive(Debug)]
pub(crate) struct Warp {
    pub(crate) identity: Identity,
    pub(crate) registers: Registers,
    pub(crate) alternatives: Alternatives,
    pub(crate) local: Local,
    pub(crate) fragments: Vec<Fragment>,
    /// Lanes that are threads.
    pub(crate) exists: u32,
    /// Lanes that haven't exited.
    pub(crate) live: u32,
    /// Lanes that have come to the cluster's barrier that isn't complete.
    pub(crate) at_cluster: u32,
    /// Number of operations so far.
    pub(crate) clock: u64,
}

impl Warp {
    pub(crate) fn new(warp: usize, core: &Core) -> Self {
        Self {
            identity: Identity { first_thread: (warp * WARP) as u32, warp },
            registers: Registers::new(core.constants()),
            alternatives: Alternatives::new(),
            local: Local::default(),
            fragments: Vec::new(),
            exists: 0,
            live: 0,
            at_cluster: 0,
            clock: 0,
        }
    }

    /// All lanes at the beginning of an entry.
    pub(crate) fn reset(&mut self, core: &Core) {
        let threads = core.shape.threads - self.identity.first_thread;
        self.exists = if threads >= 32 { u32::MAX } else { (1 << threads) - 1 };
        self.live = self.exists;
        self.at_cluster = 0;
        self.clock = 0;
        let function = core.shared.entry().function;
        let code = &core.shared.image.functions[function as usize];
        self.registers.grow(code.narrow_rows as usize, code.wide_rows as usize, code.predicates as usize);
        self.alternatives.clear();
        self.local.alternatives.clear();
        self.local.grow(code.frame_bytes as usize);
        let frame = Frame { function, pc: 0, start: Start::default() };
        self.fragments.clear();
        self.fragments.push(Fragment { mask: self.exists, stack: vec![frame], wait: Wait::Ready, delay: 0 });
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.fragments.is_empty()
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.fragments.iter().any(|fragment| fragment.wait == Wait::Ready)
    }

    /// What an operation of a fragment works on.
    pub(crate) fn lanes<'a>(
        &'a mut self,
        index: usize,
        core: &'a mut Core,
        group: &'a mut GroupMemory,
    ) -> ActiveLanes<'a> {
        let fragment = &self.fragments[index];
        let frame = fragment.frame();
        let position = core.shared.image.first_ops[frame.function as usize] + frame.pc;
        ActiveLanes {
            values: Lanes {
                registers: &mut self.registers,
                start: frame.start,
                rank: group.rank,
                approximations: core.shared.approximations,
            },
            core,
            group,
            identity: self.identity,
            active: fragment.mask,
            position,
            clock: self.clock,
            alternatives: &mut self.alternatives,
            local: &mut self.local,
        }
    }

    /// Makes some lanes of a fragment one of their own.
    pub(crate) fn split(&mut self, index: usize, mask: u32) -> usize {
        let mut new = self.fragments[index].clone();
        new.mask = mask;
        self.fragments[index].mask &= !mask;
        self.fragments.push(new);
        self.fragments.len() - 1
    }

    /// Room for a frame of a function at the end of another one's.
    pub(crate) fn make_room(&mut self, start: Start, code: &FunctionCode) {
        let narrow = (start.narrow + code.narrow_rows) as usize;
        let wide = (start.wide + code.wide_rows) as usize;
        let predicates = (start.predicates + code.predicates) as usize;
        self.registers.grow(narrow, wide, predicates);
        self.alternatives.iter_mut().for_each(|other| other.registers.grow(narrow, wide, predicates));
        self.local.grow((start.local + code.frame_bytes) as usize);
    }
}
