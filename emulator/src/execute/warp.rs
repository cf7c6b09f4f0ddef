//! A warp: its lanes run in lockstep, in fragments where they diverged.
//!
//! The fragment that is furthest behind runs first, so that fragments meet again where their paths do. One that has run
//! for long lets the others go: a lane that waits for another one in a loop doesn't keep it from running.

use std::sync::Arc;

use super::state::{Core, GroupMemory, Warp};
use crate::instruction::{Action, BarrierKind, ClusterBarrier};
use crate::machine::{Fault, Fragment, Frame, Slot, Stopped, WARP, Wait, lanes_of};
use crate::report::FindingKind;

/// Operations that a fragment runs before others of its warp are looked at.
const FRAGMENT_SLICE: u32 = 4096;
/// Operations that a fragment runs after a read that may be one of many, of who waits for another group.
const POLLING_SLICE: u64 = 64;
/// Operations that a warp runs before others of its group are looked at.
const WARP_SLICE: u32 = 1 << 16;

/// Why a fragment stopped. It is at the operation that stopped it.
enum Event {
    Reselect,
    Slice,
    Diverge { target: u32, taken: u32 },
    DivergeIndexed { taken: u32 },
    Call(u32),
    Return(u32),
    Exit(u32),
    Barrier(u32),
    ClusterBarrier(u32, ClusterBarrier),
    Members(u32),
    Fault(Box<Fault>),
}

impl Warp {
    fn stop(&mut self, index: usize, fault: Fault, core: &mut Core, group: &mut GroupMemory) -> Stopped {
        self.lanes(index, core, group).fault(fault);
        Stopped
    }

    /// Runs until all lanes wait or have exited, or for a while.
    pub(super) fn run(&mut self, core: &mut Core, group: &mut GroupMemory) -> Result<(), Stopped> {
        let mut left = WARP_SLICE;
        while left > 0 {
            if core.is_stopped() {
                return Err(Stopped);
            }
            let Some(index) = self.select(core, group) else { return Ok(()) };
            // Sets of registers that have come to hold what the warp's own do.
            self.alternatives.retain(|other| !other.registers.is_equal(&self.registers));
            let before = self.clock;
            let fuel = left.min(FRAGMENT_SLICE);
            let event = match (self.has_alternatives(group), core.shared.count_lines) {
                (false, false) => self.execute_quickly(index, fuel, core, group),
                (false, true) => self.execute::<false, true>(index, fuel, core, group),
                (true, false) => self.execute::<true, false>(index, fuel, core, group),
                (true, true) => self.execute::<true, true>(index, fuel, core, group),
            };
            left = left.saturating_sub((self.clock - before) as u32).min(left - 1);
            if self.clock > core.shared.instruction_limit {
                let limit = core.shared.instruction_limit;
                let lane = self.fragments[index].mask.trailing_zeros() as usize;
                let fault = Fault { lane, kind: FindingKind::InstructionLimit { limit } };
                return Err(self.stop(index, fault, core, group));
            }
            self.apply(index, event, core, group)?;
            if std::mem::take(&mut core.polls) {
                // It may wait for another group, whose turn is later.
                break;
            }
        }
        // Lanes that were the last to come to an operation of the warp go on at the next turn, with those that waited for them.
        self.join();
        self.meet(core, group);
        Ok(())
    }

    fn apply(
        &mut self,
        index: usize,
        event: Event,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> Result<(), Stopped> {
        match event {
            Event::Reselect => {}
            Event::Slice => {
                let waits = |other: &Fragment| other.wait == Wait::Ready;
                if self.fragments.iter().filter(|other| waits(other)).count() > 1 {
                    self.fragments[index].delay = self.fragments[index].delay.saturating_add(1);
                }
            }
            Event::Diverge { target, taken } => {
                let new = self.split(index, taken);
                self.fragments[new].set_pc(target);
                self.fragments[index].advance();
            }
            Event::DivergeIndexed { taken } => self.branch_indexed(index, taken, core),
            Event::Call(mask) => {
                let own = self.take(index, mask);
                self.call(own, core, group)?;
            }
            Event::Return(mask) => {
                let own = self.take(index, mask);
                self.leave(own, core);
            }
            Event::Exit(mask) => {
                let own = self.take(index, mask);
                self.exit(own);
            }
            Event::Barrier(mask) => {
                let own = self.take(index, mask);
                self.arrive(own, core, group);
            }
            Event::ClusterBarrier(mask, kind) => {
                let own = self.take(index, mask);
                self.come_to_cluster(own, kind, group);
            }
            Event::Members(mask) => {
                let own = self.take(index, mask);
                self.gather(own, core, group);
            }
            Event::Fault(fault) => return Err(self.stop(index, *fault, core, group)),
        }
        Ok(())
    }

    /// The fragment to run, after those at one place were joined. None if no lane can go on.
    fn select(&mut self, core: &mut Core, group: &mut GroupMemory) -> Option<usize> {
        if let [only] = self.fragments.as_slice()
            && only.wait == Wait::Ready
        {
            return Some(0);
        }
        self.join();
        self.meet(core, group);
        let ready = self.fragments.iter().enumerate().filter(|(_, fragment)| fragment.wait == Wait::Ready);
        let (index, first) = ready.min_by_key(|(_, fragment)| fragment.rank())?;
        let least = first.delay;
        if least > 0 {
            self.fragments
                .iter_mut()
                .for_each(|fragment| fragment.delay = fragment.delay.saturating_sub(least));
        }
        Some(index)
    }

    /// Makes one of fragments at one place.
    fn join(&mut self) {
        let mut first = 0;
        while first < self.fragments.len() {
            let mut second = first + 1;
            while second < self.fragments.len() {
                if self.fragments[first].is_with(&self.fragments[second]) {
                    let gone = self.fragments.swap_remove(second);
                    self.fragments[first].mask |= gone.mask;
                    self.fragments[first].delay = self.fragments[first].delay.min(gone.delay);
                } else {
                    second += 1;
                }
            }
            first += 1;
        }
    }

    /// The lanes that execute the operation; the others, whose guard is false, go on behind it.
    fn take(&mut self, index: usize, mask: u32) -> usize {
        if mask == self.fragments[index].mask {
            return index;
        }
        let own = self.split(index, mask);
        self.fragments[index].advance();
        own
    }

    /// Lanes with the first lane's value go on as one fragment; the others come again.
    pub(super) fn uniform(
        &mut self,
        index: usize,
        slot: Slot,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> (usize, u32) {
        let mask = self.fragments[index].mask;
        let row = *self.lanes(index, core, group).narrow(slot);
        let value = row[mask.trailing_zeros() as usize % WARP];
        let same = lanes_of(mask).filter(|&lane| row[lane] == value).fold(0, |same, lane| same | 1 << lane);
        let own = if same == mask { index } else { self.split(index, same) };
        (own, value)
    }

    fn branch_indexed(&mut self, index: usize, taken: u32, core: &Core) {
        let own = self.take(index, taken);
        let frame = self.fragments[own].frame();
        let image = Arc::clone(&core.shared.image);
        let op = image.functions[frame.function as usize].ops.get(frame.pc as usize);
        let Some(Action::BranchIndexed(targets, slot)) = op.map(|op| &op.action) else { return };
        let row = *self.registers.narrow.row(*slot, frame.start.narrow);
        let mut rest = self.fragments[own].mask;
        while rest != 0 {
            let value = row[rest.trailing_zeros() as usize % WARP];
            let same =
                lanes_of(rest).filter(|&lane| row[lane] == value).fold(0, |same, lane| same | 1 << lane);
            rest &= !same;
            let new = if rest == 0 { own } else { self.split(own, same) };
            // Beyond the list nothing is defined: the last target is as good as any.
            let last = targets.len().saturating_sub(1);
            let target = targets.get((value as usize).min(last)).copied().unwrap_or(frame.pc + 1);
            self.fragments[new].set_pc(target);
        }
    }

    pub(super) fn exit(&mut self, index: usize) {
        let gone = self.fragments.swap_remove(index);
        self.live &= !gone.mask;
    }

    /// The nearest place ahead at which a fragment that goes as soon waits to be joined.
    fn next_meeting(&self, index: usize) -> u32 {
        let own = &self.fragments[index];
        let (delay, depth, pc) = own.rank();
        let others = self.fragments.iter().filter(|other| other.wait == Wait::Ready).map(Fragment::rank);
        let ahead = others.filter(|other| (other.0, other.1) == (delay, depth) && other.2 > pc);
        ahead.map(|other| other.2).min().unwrap_or(u32::MAX)
    }

    /// Whether something that was computed depends on a division by zero, or on bytes that nothing wrote.
    fn has_alternatives(&self, group: &GroupMemory) -> bool {
        let in_memory = !self.local.alternatives.is_empty() || !group.alternatives.is_empty();
        !self.alternatives.is_empty() || in_memory
    }

    fn execute_quickly(
        &mut self,
        index: usize,
        fuel: u32,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> Event {
        /// # Safety
        /// The processor has what [`has_vectors`](crate::machine::has_vectors) asks for.
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
        unsafe fn with_vectors(
            warp: &mut Warp,
            index: usize,
            fuel: u32,
            core: &mut Core,
            group: &mut GroupMemory,
        ) -> Event {
            warp.execute::<false, false>(index, fuel, core, group)
        }
        if core.has_vectors {
            // SAFETY: the processor has these features, as was asked when the launch began.
            return unsafe { with_vectors(self, index, fuel, core, group) };
        }
        self.execute::<false, false>(index, fuel, core, group)
    }

    /// Runs a fragment for a while. `TRACED`: what depends on unknown values is followed. `COUNTED`: operations are counted.
    #[inline(always)]
    fn execute<const TRACED: bool, const COUNTED: bool>(
        &mut self,
        index: usize,
        fuel: u32,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> Event {
        let meeting = if self.fragments.len() > 1 { self.next_meeting(index) } else { u32::MAX };
        let Frame { function, mut pc, .. } = self.fragments[index].frame();
        let image = Arc::clone(&core.shared.image);
        let ops = image.functions[function as usize].ops.as_slice();
        let first = image.first_ops[function as usize];
        let (live, exists) = (self.live, self.exists);
        let mut lanes = self.lanes(index, core, group);
        let active = lanes.active;
        let begin = lanes.clock;
        let mut end = begin + u64::from(fuel);
        let event = loop {
            if pc >= meeting {
                break Event::Reselect;
            }
            if lanes.clock >= end {
                break Event::Slice;
            }
            let Some(op) = ops.get(pc as usize) else { break Event::Return(active) };
            lanes.clock += 1;
            let mask = match op.guard {
                None => active,
                Some(guard) => active & lanes.predicate(guard),
            };
            if COUNTED {
                lanes.count(op, first + pc, mask);
            }
            if TRACED {
                lanes.position = first + pc;
                if lanes.trace(op, active, mask) {
                    pc += 1;
                    continue;
                }
            }
            if mask == 0 {
                pc += 1;
                continue;
            }
            lanes.position = first + pc;
            let before = TRACED.then(|| lanes.places(&op.action));
            let done = match &op.action {
                Action::Compute(handler, operands) => {
                    handler(&mut lanes.values, operands, mask);
                    Ok(())
                }
                Action::Choose(handler, operands, _) => {
                    handler(&mut lanes.values, operands, mask);
                    Ok(())
                }
                Action::Ask(question) => {
                    lanes.answer(*question, mask);
                    Ok(())
                }
                Action::Divide(handler, operands, bits) => {
                    let checks = lanes.core.checks.division;
                    let zero = if checks { lanes.zero_divisors(operands, *bits, mask) } else { 0 };
                    handler(&mut lanes.values, operands, mask);
                    if zero != 0 {
                        lanes.divide_by_zero(operands, *bits, zero);
                        // Goes on with other sets of registers beside its own.
                        pc += 1;
                        break Event::Reselect;
                    }
                    Ok(())
                }
                Action::Load(access) => {
                    let done = if access.strong {
                        lanes.strong_load(access, mask)
                    } else {
                        lanes.load(access, mask)
                    };
                    if lanes.core.polls {
                        end = end.min(lanes.clock + POLLING_SLICE);
                    }
                    if !TRACED && !lanes.core.unwritten.is_empty() && done.is_ok() {
                        lanes.hand_on(access);
                        pc += 1;
                        break Event::Reselect;
                    }
                    done
                }
                Action::Store(access) if access.strong => lanes.strong_store(access, mask),
                Action::Store(access) => lanes.store(access, mask),
                Action::Atomic(atomic) => lanes.strong_update(atomic, mask),
                Action::Texture(operation) => lanes.texture(operation, mask),
                Action::AsyncCopy(copy) => lanes.begin_copy(copy, mask),
                Action::Bulk(bulk) => lanes.bulk(bulk, mask),
                Action::Mbarrier(barrier) => lanes.mbarrier(barrier, mask),
                Action::CommitCopies => {
                    lanes.commit_copies(mask);
                    Ok(())
                }
                Action::WaitForCopies(but) => lanes.wait_for_copies(*but, mask),
                Action::Fence(level) => {
                    lanes.fence(*level, mask);
                    Ok(())
                }
                Action::Branch(target) if mask == active => {
                    pc = *target;
                    continue;
                }
                Action::Branch(target) => break Event::Diverge { target: *target, taken: mask },
                Action::BranchIndexed(..) => break Event::DivergeIndexed { taken: mask },
                Action::Warp(warp) if mask == active => match lanes.members_present(warp, live) {
                    Some(members) => {
                        lanes.warp_operation(warp, mask, members, live, exists);
                        warp.matrix.as_ref().map_or(Ok(()), |matrix| lanes.matrix_operation(matrix, mask))
                    }
                    None => break Event::Members(mask),
                },
                Action::Warp(_) => break Event::Members(mask),
                Action::Barrier(_) => break Event::Barrier(mask),
                Action::ClusterBarrier(kind) => break Event::ClusterBarrier(mask, *kind),
                Action::Call(_) => break Event::Call(mask),
                Action::Return => break Event::Return(mask),
                Action::Exit => break Event::Exit(mask),
                Action::Trap => Err(Fault::new(mask.trailing_zeros() as usize, FindingKind::Trap)),
                Action::Breakpoint => {
                    Err(Fault::new(mask.trailing_zeros() as usize, FindingKind::Breakpoint))
                }
                Action::Nothing => Ok(()),
            };
            if let Err(fault) = done {
                break Event::Fault(fault);
            }
            if let Some(places) = before {
                lanes.settle(&op.action, mask, &places);
            }
            pc += 1;
        };
        let clock = lanes.clock;
        core.warp_instructions += clock - begin;
        core.thread_instructions += (clock - begin) * u64::from(active.count_ones());
        self.clock = clock;
        self.fragments[index].set_pc(pc);
        event
    }

    /// Waits at a barrier, or only says that it came by.
    fn arrive(&mut self, index: usize, core: &mut Core, group: &mut GroupMemory) {
        let frame = self.fragments[index].frame();
        let image = Arc::clone(&core.shared.image);
        let op = &image.functions[frame.function as usize].ops[frame.pc as usize];
        let Action::Barrier(barrier) = &op.action else { return };
        let (own, number) = self.uniform(index, barrier.number, core, group);
        if barrier.kind == BarrierKind::Arrive {
            let mask = self.fragments[own].mask;
            group.came_by(number, self.identity.warp, mask.count_ones());
            self.fragments[own].advance();
        } else {
            self.fragments[own].wait = Wait::Barrier(number);
        }
    }
}
