//! Where a warp uses what depends on a division by zero or on bytes that nothing wrote, and how that passes through memory and
//! between lanes.
//!
//! It is used by a guard or a target of a branch, an address, a write to device memory, an atomic operation, a vote, and all else that
//! other threads or the host can tell from it. A thread's own memory, workgroup memory and shuffles hand it on.

use super::alternatives::Computation;
use super::state::ActiveLanes;
use super::unwritten::{extended, is_copy};
use crate::instruction::{
    Access, Action, AddressBase, BarrierKind, Bytes, Callee, MbarrierKind, Memory, Op, Warp, WarpKind,
};
use crate::machine::{
    LOCAL_WINDOW, Local, Origin, Predicate, SHARED_WINDOW, Slot, WARP, lanes_of, peer, window,
};

/// A byte of memory that hands on what depends on an unknown value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// A byte of the group's memory.
    Group(u64),
    /// A byte of the thread's memory, by its key.
    Thread(u64),
}

impl Place {
    fn behind(self, byte: u64) -> Self {
        match self {
            Self::Group(address) => Self::Group(address.wrapping_add(byte)),
            Self::Thread(key) => Self::Thread(key.wrapping_add(byte)),
        }
    }
}

/// Places of an access, by lane.
pub(super) type Places = [Option<Place>; WARP];

/// Rows that an operation takes something from.
#[derive(Debug, Default)]
struct Sources {
    narrow: Vec<Slot>,
    wide: Vec<Slot>,
    predicates: Vec<Predicate>,
}

impl Sources {
    fn address(&mut self, access: &Access) {
        match access.base {
            AddressBase::Wide(slot) => self.wide.push(slot),
            AddressBase::Narrow(slot) => self.narrow.push(slot),
            AddressBase::Frame | AddressBase::Argument => {}
        }
    }

    fn value(&mut self, slot: Slot, wide: bool) {
        if wide { self.wide.push(slot) } else { self.narrow.push(slot) }
    }

    /// What decides of an operation, or leaves the warp with it. A store's values aren't here, nor are sources of a warp's operations.
    fn of(action: &Action) -> Self {
        let mut sources = Self::default();
        match action {
            Action::Load(access) | Action::Store(access) => sources.address(access),
            Action::Atomic(atomic) => {
                sources.address(&atomic.access);
                let wide = atomic.access.size == 8;
                sources.value(atomic.b, wide);
                sources.value(atomic.c, wide);
            }
            Action::Texture(operation) => {
                let rows = operation.sources();
                sources.narrow.extend(rows.narrow);
                sources.wide.extend(rows.wide);
            }
            Action::AsyncCopy(copy) => {
                sources.address(&copy.target);
                sources.address(&copy.source);
                match copy.bytes {
                    Bytes::All => {}
                    Bytes::AsMany(slot) => sources.narrow.push(slot),
                    Bytes::NoneIf(predicate) => sources.predicates.push(predicate),
                }
            }
            Action::Bulk(bulk) => {
                bulk.accesses().into_iter().for_each(|access| sources.address(access));
                let (narrow, wide) = bulk.sources();
                sources.narrow.extend(narrow);
                sources.wide.extend(wide);
            }
            Action::Mbarrier(barrier) => {
                sources.address(&barrier.access);
                match barrier.kind {
                    MbarrierKind::Invalidate => {}
                    MbarrierKind::Initialise(slot)
                    | MbarrierKind::Expect(slot)
                    | MbarrierKind::Complete(slot) => sources.narrow.push(slot),
                    MbarrierKind::Arrive { count, bytes, .. } => {
                        sources.narrow.extend(count);
                        sources.narrow.extend(bytes);
                    }
                    MbarrierKind::Test { state, .. } => sources.wide.push(state),
                    MbarrierKind::TestParity { parity, .. } => sources.narrow.push(parity),
                }
            }
            Action::BranchIndexed(_, slot) => sources.narrow.push(*slot),
            Action::Call(site) => {
                if let Callee::Indirect(slot) = site.callee {
                    sources.wide.push(slot);
                }
            }
            Action::Barrier(barrier) => {
                sources.narrow.push(barrier.number);
                sources.narrow.extend(barrier.threads);
                if matches!(barrier.kind, BarrierKind::Count | BarrierKind::All | BarrierKind::Any) {
                    sources.predicates.push(barrier.source);
                }
            }
            Action::Warp(warp) => {
                sources.narrow.extend(warp.members);
                if let Some(matrix) = &warp.matrix {
                    for (slots, wide) in matrix.sources() {
                        slots.iter().for_each(|&slot| sources.value(slot, wide));
                    }
                    if let Some(access) = matrix.access() {
                        sources.address(access);
                    }
                }
            }
            _ => {}
        }
        sources
    }
}

impl ActiveLanes<'_> {
    /// Traces an operation before it runs: executes it, if it computes, and otherwise reports which
    /// unknown values it uses. True if it is done.
    pub(super) fn trace(&mut self, op: &Op, active: u32, mask: u32) -> bool {
        let computation = match &op.action {
            Action::Compute(handler, operands) => {
                Computation { handler: *handler, operands, choice: None, divides: None }
            }
            Action::Choose(handler, operands, choice) => {
                Computation { handler: *handler, operands, choice: Some(*choice), divides: None }
            }
            Action::Ask(question) => {
                self.answer_all(*question, op.guard, active);
                return true;
            }
            Action::Divide(handler, operands, bits) => {
                Computation { handler: *handler, operands, choice: None, divides: Some(*bits) }
            }
            action => {
                if let Some(guard) = op.guard {
                    self.report_predicate(guard, active);
                }
                if mask != 0 {
                    self.report_sources(&Sources::of(action), mask);
                    self.trace_memory(action, mask);
                }
                return false;
            }
        };
        self.compute_all(&computation, op.guard, active);
        true
    }

    fn report_predicate(&mut self, predicate: Predicate, mask: u32) {
        for index in 0..self.alternatives.len() {
            let differing = self.differing_predicate(index, predicate) & mask;
            self.used(index, differing);
        }
    }

    fn report_row(&mut self, slot: Slot, wide: bool, mask: u32) {
        for index in 0..self.alternatives.len() {
            let differing = self.differing(index, slot, wide) & mask;
            self.used(index, differing);
        }
    }

    fn report_sources(&mut self, sources: &Sources, mask: u32) {
        sources.narrow.iter().for_each(|slot| self.report_row(*slot, false, mask));
        sources.wide.iter().for_each(|slot| self.report_row(*slot, true, mask));
        sources.predicates.iter().for_each(|predicate| self.report_predicate(*predicate, mask));
    }

    /// Which bytes an operation accesses that hand something on.
    pub(super) fn places(&self, action: &Action) -> Places {
        let access = match action {
            Action::Load(access) | Action::Store(access) => access,
            Action::Atomic(atomic) => &atomic.access,
            Action::AsyncCopy(copy) => &copy.target,
            _ => return [None; WARP],
        };
        let addresses = self.addresses(access);
        let group = |address: u64| peer(address).0.is_none().then_some(Place::Group(address));
        std::array::from_fn(|lane| {
            let address = addresses[lane];
            let thread = |at: u64| Some(Place::Thread(Local::key(lane, at)));
            match (access.memory, window(address)) {
                (Memory::Shared, _) => group(address),
                (Memory::Local, _) => thread(address),
                (Memory::Generic, 1) => group(address.wrapping_sub(SHARED_WINDOW)),
                (Memory::Generic, 2) => thread(address.wrapping_sub(LOCAL_WINDOW)),
                _ => None,
            }
        })
    }

    fn bytes_at(&self, place: Place) -> &[(Origin, u8)] {
        match place {
            Place::Group(address) => self.group.alternatives.get(address),
            Place::Thread(key) => self.local.alternatives.get(key),
        }
    }

    fn set_bytes_at(&mut self, place: Place, bytes: Vec<(Origin, u8)>) {
        match place {
            Place::Group(address) => self.group.alternatives.set(address, bytes),
            Place::Thread(key) => self.local.alternatives.set(key, bytes),
        }
    }

    fn trace_memory(&mut self, action: &Action, mask: u32) {
        let places = self.places(action);
        match action {
            Action::Store(access) => self.trace_store(access, mask, &places),
            Action::Atomic(atomic) => {
                for lane in lanes_of(mask) {
                    let Some(place) = places[lane] else { continue };
                    let bytes = || (0..u64::from(atomic.access.size)).map(|byte| place.behind(byte));
                    let origin = bytes().find_map(|place| self.bytes_at(place).first().copied());
                    if let Some((origin, _)) = origin {
                        let index = self.alternative(origin);
                        self.used(index, 1 << lane);
                        bytes().for_each(|place| self.set_bytes_at(place, Vec::new()));
                    }
                }
            }
            Action::AsyncCopy(copy) => {
                for place in lanes_of(mask).filter_map(|lane| places[lane]) {
                    (0..copy.size.into()).for_each(|byte| self.set_bytes_at(place.behind(byte), Vec::new()));
                }
            }
            // Where its bytes come to isn't followed.
            Action::Bulk(_) => self.group.alternatives.clear(),
            _ => {}
        }
    }

    fn trace_store(&mut self, access: &Access, mask: u32, places: &Places) {
        let size = u64::from(access.size);
        let addresses = self.addresses(access);
        let knows_written = addresses.map(|address| self.knows_written(access.memory, address));
        // Bytes that are copies of bytes that nothing wrote, and the first one's set.
        let mut copied: [(u64, Option<Origin>); WARP] = [(0, None); WARP];
        for (&(slot, bits), element) in access.values.iter().zip(0..) {
            let differing: Vec<u32> = (0..self.alternatives.len())
                .map(|index| self.differing(index, slot, bits == 64) & mask)
                .collect();
            let own = self.value(slot, bits);
            for lane in lanes_of(mask) {
                let others: Vec<(Origin, u64)> = (0..self.alternatives.len())
                    .filter(|&index| differing[index] >> lane & 1 == 1)
                    .map(|index| (self.alternatives[index].origin, self.value_in(index, slot, bits)[lane]))
                    .collect();
                for byte in 0..size {
                    let part = |value: u64| (value >> (8 * byte)) as u8;
                    let bytes = others.iter().filter(|(_, value)| part(*value) != part(own[lane]));
                    let mut bytes: Vec<_> = bytes.map(|(origin, value)| (*origin, part(*value))).collect();
                    if let Some(&(origin, _)) = bytes.first()
                        && is_copy(part(own[lane]), &bytes)
                        && (knows_written[lane] || places[lane].is_none())
                    {
                        copied[lane].0 |= 1 << (element * size + byte);
                        copied[lane].1.get_or_insert(origin);
                        bytes.clear();
                    }
                    match (places[lane], bytes.first()) {
                        (Some(place), _) => self.set_bytes_at(place.behind(element * size + byte), bytes),
                        (None, Some(_)) => {
                            let mut known: Vec<Origin> = Vec::new();
                            for &(origin, _) in &others {
                                if !known.iter().any(|one| one.is_of_one(origin)) {
                                    known.push(origin);
                                    let index = self.alternative(origin);
                                    self.used(index, 1 << lane);
                                }
                            }
                            copied[lane] = (0, None);
                            break;
                        }
                        (None, None) => {}
                    }
                }
            }
        }
        let all = u64::MAX >> (64 - (size * access.values.len() as u64).clamp(1, 64));
        for lane in lanes_of(mask) {
            match copied[lane] {
                (bytes, Some(origin))
                    if bytes == all && self.is_seen_by_host(access.memory, addresses[lane]) =>
                {
                    let index = self.alternative(origin);
                    self.used(index, 1 << lane);
                }
                (bytes, Some(_)) if knows_written[lane] => self.core.copied.push((lane, bytes)),
                _ => {}
            }
        }
    }

    fn is_seen_by_host(&self, memory: Memory, address: u64) -> bool {
        match memory {
            Memory::Shared | Memory::Local => false,
            Memory::Generic => window(address) == 0,
            Memory::Global | Memory::Const => true,
        }
    }

    pub(super) fn value(&self, slot: Slot, bits: u8) -> [u64; WARP] {
        if bits == 64 { *self.wide(slot) } else { self.narrow(slot).map(u64::from) }
    }

    fn value_in(&mut self, index: usize, slot: Slot, bits: u8) -> [u64; WARP] {
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        let value = self.value(slot, bits);
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        value
    }

    /// Settles an operation that ran: all sets have its results, but for what memory handed on.
    pub(super) fn settle(&mut self, action: &Action, mask: u32, places: &Places) {
        match action {
            Action::Load(access) => {
                self.settle_load(access, mask, places);
                if !self.core.unwritten.is_empty() {
                    self.hand_on(access);
                }
            }
            Action::Store(access) if !self.core.copied.is_empty() => {
                let addresses = self.addresses(access);
                for (lane, bytes) in std::mem::take(&mut self.core.copied) {
                    self.unwrite(access.memory, addresses[lane], bytes);
                }
            }
            Action::Atomic(atomic) => {
                if let Some(slot) = atomic.result {
                    self.agree(slot, atomic.access.size == 8, mask);
                }
            }
            Action::Texture(operation) => {
                let rows = operation.results();
                rows.narrow.iter().for_each(|slot| self.agree(*slot, false, mask));
                rows.wide.iter().for_each(|slot| self.agree(*slot, true, mask));
                rows.predicate.into_iter().for_each(|predicate| self.agree_on(predicate, mask));
            }
            Action::Mbarrier(barrier) => match barrier.kind {
                MbarrierKind::Arrive { state, .. } => self.agree(state, true, mask),
                MbarrierKind::Test { done, .. } | MbarrierKind::TestParity { done, .. } => {
                    self.agree_on(done, mask);
                }
                _ => {}
            },
            Action::Warp(warp) => {
                if let Some(matrix) = &warp.matrix {
                    for (slots, wide) in matrix.results() {
                        slots.iter().for_each(|slot| self.agree(*slot, wide, mask));
                    }
                }
            }
            _ => {}
        }
    }

    fn settle_load(&mut self, access: &Access, mask: u32, places: &Places) {
        let size = u64::from(access.size);
        for (&(slot, bits), element) in access.values.iter().zip(0..) {
            self.agree(slot, bits == 64, mask);
            if self.group.alternatives.is_empty() && self.local.alternatives.is_empty() {
                continue;
            }
            let own = self.value(slot, bits);
            for lane in lanes_of(mask) {
                let Some(place) = places[lane] else { continue };
                let mut others: Vec<(Origin, u64)> = Vec::new();
                for byte in 0..size {
                    for &(origin, value) in self.bytes_at(place.behind(element * size + byte)) {
                        let known = others.iter().position(|(one, _)| *one == origin);
                        let at = known.unwrap_or_else(|| {
                            others.push((origin, own[lane]));
                            others.len() - 1
                        });
                        let whole = &mut others[at].1;
                        *whole = (*whole & !(0xff << (8 * byte))) | u64::from(value) << (8 * byte);
                    }
                }
                for (origin, value) in others {
                    self.set_in(origin, slot, bits, lane, extended(access, value));
                }
            }
        }
    }

    pub(super) fn set_in(&mut self, origin: Origin, slot: Slot, bits: u8, lane: usize, value: u64) {
        let index = self.alternative(origin);
        let limit = if bits == 16 { 0xffff } else { u32::MAX };
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
        if bits == 64 {
            self.write_wide(slot, 1 << lane, &[value; WARP]);
        } else {
            self.write_narrow(slot, 1 << lane, &[value as u32 & limit; WARP]);
        }
        std::mem::swap(self.values.registers, &mut self.alternatives[index].registers);
    }

    /// Traces an operation between lanes before it runs, but for a shuffle: reports what it takes.
    pub(super) fn trace_warp(&mut self, warp: &Warp, mask: u32) {
        match warp.kind {
            WarpKind::Vote(_) => self.report_predicate(warp.source, mask),
            WarpKind::MatchAny { wide } | WarpKind::MatchAll { wide } => self.report_row(warp.a, wide, mask),
            WarpKind::Reduce(..) => self.report_row(warp.a, false, mask),
            WarpKind::ShuffleUp | WarpKind::ShuffleDown | WarpKind::ShuffleXor | WarpKind::ShuffleIndex => {
                self.report_row(warp.b, false, mask);
                self.report_row(warp.c, false, mask);
            }
            WarpKind::Barrier | WarpKind::Elect | WarpKind::ActiveMask | WarpKind::Matrix => {}
        }
    }
}
