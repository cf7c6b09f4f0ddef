//! What a warp's registers would hold if divisions by zero, and bytes that nothing wrote, had given something else.
//!
//! The quotient of a division by zero is a number that nothing is known of, and compilers compute some that nobody uses: they take a
//! guarded division out of its guard. So the division alone is no finding. A warp that divides by zero gets a pair of other
//! sets of registers for that division, in which its result is another number, and from then on every operation is
//! executed with each of them. A value that differs between the sets depends on the quotient. Where such a value decides what the
//! warp does, or leaves it, the quotient is used (`uses`). Loads of bytes that nothing wrote are followed in this way too (`unwritten`).
//!
//! Two numbers may have one result by chance. So a comparison and a minimum of what differs count as different, whatever they give.

use super::state::ActiveLanes;
use crate::instruction::{Choice, Guard, Handler, Question};
use crate::machine::{Alternative, Cause, Operands, Origin, Predicate, Slot, WARP, lanes_of};

/// Sets of registers that a warp has at most for divisions. Those beyond share the last ones.
const MOST_OF_DIVISIONS: usize = 16;
/// Sets of registers that a warp has at most for bytes that nothing wrote.
const MOST_OF_UNWRITTEN: usize = 4;
/// Number of other results of an operation.
pub(super) const VARIANTS: u8 = 2;

/// An operation that computes, with what its results need for being told from the other sets'.
#[derive(Debug, Clone, Copy)]
pub(super) struct Computation<'o> {
    pub(super) handler: Handler,
    pub(super) operands: &'o Operands,
    pub(super) choice: Option<Choice>,
    /// Bits of the divisor, of a division.
    pub(super) divides: Option<u8>,
}

impl ActiveLanes<'_> {
    /// The lanes whose divisor is zero.
    pub(super) fn zero_divisors(&self, operands: &Operands, bits: u8, mask: u32) -> u32 {
        let is_zero = |&lane: &usize| match bits {
            64 => self.wide(operands.b)[lane] == 0,
            16 => self.narrow(operands.b)[lane] & 0xffff == 0,
            _ => self.narrow(operands.b)[lane] == 0,
        };
        lanes_of(mask).filter(is_zero).fold(0, |all, lane| all | 1 << lane)
    }

    /// Gives lanes whose divisor was zero other results in other sets, after a division.
    pub(super) fn divide_by_zero(&mut self, operands: &Operands, bits: u8, lanes: u32) {
        for variant in 0..VARIANTS {
            let origin = Origin { cause: Cause::Division, position: self.position, variant };
            let index = self.alternative(origin);
            let (narrow, wide) =
                (*self.narrow_or_zero(operands.d, bits), *self.wide_or_zero(operands.d, bits));
            // The first differs in all bits; the second has no divisor in common with what is all ones.
            let other = |value: u64| if variant == 0 { !value } else { value ^ 0x5bd1_e995_1b56_c4e9 };
            let (start, slot) = (self.start, operands.d);
            let registers = &mut self.alternatives[index].registers;
            for lane in lanes_of(lanes) {
                if bits == 64 {
                    if let Some(row) = registers.wide.row_mut(slot, start.wide) {
                        row[lane] = other(wide[lane]);
                    }
                } else if let Some(row) = registers.narrow.row_mut(slot, start.narrow) {
                    let limit = if bits == 16 { 0xffff } else { u32::MAX };
                    row[lane] = other(narrow[lane].into()) as u32 & limit;
                }
            }
        }
    }

    fn narrow_or_zero(&self, slot: Slot, bits: u8) -> &[u32; WARP] {
        if bits == 64 { &[0; WARP] } else { self.narrow(slot) }
    }

    fn wide_or_zero(&self, slot: Slot, bits: u8) -> &[u64; WARP] {
        if bits == 64 { self.wide(slot) } else { &[0; WARP] }
    }

    /// The set of an origin, which is made if there is none.
    pub(super) fn alternative(&mut self, origin: Origin) -> usize {
        if let Some(index) = self.alternatives.iter().position(|one| one.origin == origin) {
            return index;
        }
        let most = match origin.cause {
            Cause::Division => MOST_OF_DIVISIONS,
            Cause::Unwritten => MOST_OF_UNWRITTEN,
        };
        let of_cause = |one: &&Alternative| one.origin.cause == origin.cause;
        if self.alternatives.iter().filter(of_cause).count() >= most {
            let same =
                |one: &Alternative| (one.origin.cause, one.origin.variant) == (origin.cause, origin.variant);
            return self.alternatives.iter().rposition(same).unwrap_or(0);
        }
        let registers = self.values.registers.clone();
        self.alternatives.push(Alternative { origin, registers });
        self.alternatives.len() - 1
    }

    /// Executes something with each other set of registers.
    pub(super) fn with_each(&mut self, mut execute: impl FnMut(&mut Self, Origin)) {
        for index in 0..self.alternatives.len() {
            let origin = self.alternatives[index].origin;
            std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
            execute(self, origin);
            std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        }
    }

    /// Computes with all sets. `active` lanes are there; the guard may differ.
    pub(super) fn compute_all(&mut self, computation: &Computation<'_>, guard: Guard, active: u32) {
        let Computation { handler, operands, choice, divides } = *computation;
        let own_mask = self.guarded(guard, active);
        let differing: Vec<u32> = match choice {
            Some(Choice::Predicate { wide, .. } | Choice::Value { wide }) => (0..self.alternatives.len())
                .map(|index| {
                    self.differing(index, operands.a, wide) | self.differing(index, operands.b, wide)
                })
                .collect(),
            _ => Vec::new(),
        };
        let divides = divides.filter(|_| self.core.checks.division);
        let zero = divides.map_or(0, |bits| self.zero_divisors(operands, bits, own_mask));
        self.in_all(guard, active, |lanes, mask| handler(&mut lanes.values, operands, mask));
        if let Some(choice) = choice {
            self.tell_apart(choice, operands, own_mask, &differing);
        }
        if let Some(bits) = divides.filter(|_| zero != 0) {
            self.divide_by_zero(operands, bits, zero);
        }
    }

    /// Answers a question with all sets. What comes from outside is read once.
    pub(super) fn answer_all(&mut self, question: Question, guard: Guard, active: u32) {
        let own_mask = self.guarded(guard, active);
        self.in_all(guard, active, |lanes, mask| lanes.answer(question, mask));
        if let Question::Special { result, bits, .. } = question {
            self.agree(result, bits == 64, own_mask);
        }
    }

    fn guarded(&self, guard: Guard, active: u32) -> u32 {
        guard.map_or(active, |guard| active & self.predicate(guard))
    }

    /// Executes something with each set of registers in which the guard lets a lane do it, the warp's own last.
    fn in_all(&mut self, guard: Guard, active: u32, mut execute: impl FnMut(&mut Self, u32)) {
        let mut guarded = |lanes: &mut Self| {
            let mask = lanes.guarded(guard, active);
            if mask != 0 {
                execute(lanes, mask);
            }
        };
        self.with_each(|lanes, _| guarded(lanes));
        guarded(self);
    }

    /// What was chosen by values that differ, differs.
    fn tell_apart(&mut self, choice: Choice, operands: &Operands, mask: u32, differing: &[u32]) {
        match choice {
            Choice::Predicate { when_true, when_false, .. } => {
                let (p, q) = (self.predicate(operands.p), self.predicate(operands.q));
                let mut differing = differing.iter();
                self.with_each(|lanes, _| {
                    let third = lanes.predicate(operands.r);
                    let matters = (when_true & third) | (when_false & !third);
                    let forced = differing.next().copied().unwrap_or(0) & mask & matters;
                    lanes.set_predicate(operands.p, forced, !p);
                    lanes.set_predicate(operands.q, forced, !q);
                });
            }
            Choice::Value { wide: true } => {
                let own = *self.wide(operands.d);
                let mut differing = differing.iter();
                self.with_each(|lanes, _| {
                    let forced = differing.next().copied().unwrap_or(0) & mask;
                    lanes.write_wide(operands.d, forced, &own.map(|value| !value));
                });
            }
            Choice::Value { wide: false } => {
                let own = *self.narrow(operands.d);
                let mut differing = differing.iter();
                self.with_each(|lanes, _| {
                    let forced = differing.next().copied().unwrap_or(0) & mask;
                    lanes.write_narrow(operands.d, forced, &own.map(|value| !value));
                });
            }
            Choice::Sum { wide } => self.are_no_copies(operands.d, wide, mask),
        }
    }

    /// The lanes whose register differs in a set.
    pub(super) fn differing(&self, index: usize, slot: Slot, wide: bool) -> u32 {
        if slot.as_constant().is_some() {
            return 0;
        }
        let other = &self.alternatives[index].registers;
        let differs = |differ: &dyn Fn(usize) -> bool| {
            (0..WARP).filter(|&lane| differ(lane)).fold(0, |all, lane| all | 1 << lane)
        };
        if wide {
            let own = self.wide(slot);
            let other = other.wide.row(slot, self.start.wide);
            if own == other { 0 } else { differs(&|lane| own[lane] != other[lane]) }
        } else {
            let own = self.narrow(slot);
            let other = other.narrow.row(slot, self.start.narrow);
            if own == other { 0 } else { differs(&|lane| own[lane] != other[lane]) }
        }
    }

    /// The lanes whose predicate differs in a set.
    pub(super) fn differing_predicate(&mut self, index: usize, predicate: Predicate) -> u32 {
        let own = self.predicate(predicate);
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        let other = self.predicate(predicate);
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        own ^ other
    }

    /// A register has what the warp's own has, in all sets.
    pub(super) fn agree(&mut self, slot: Slot, wide: bool, mask: u32) {
        if wide {
            let own = *self.wide(slot);
            self.with_each(|lanes, _| lanes.write_wide(slot, mask, &own));
        } else {
            let own = *self.narrow(slot);
            self.with_each(|lanes, _| lanes.write_narrow(slot, mask, &own));
        }
    }

    pub(super) fn agree_on(&mut self, predicate: Predicate, mask: u32) {
        let own = self.predicate(predicate);
        self.with_each(|lanes, _| lanes.set_predicate(predicate, mask, own));
    }

    /// Reports the operation that a set is of, and goes on in these lanes as if all were the same.
    pub(super) fn used(&mut self, index: usize, lanes: u32) {
        let origin = self.alternatives[index].origin;
        for lane in lanes_of(lanes) {
            self.report_use(origin, lane);
            for other in self.alternatives.iter_mut().filter(|other| other.origin.is_of_one(origin)) {
                other.registers.copy_lane(self.values.registers, lane);
            }
        }
    }
}
