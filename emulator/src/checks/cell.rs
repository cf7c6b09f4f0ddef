//! Who accessed a piece of memory last.

use super::clock::Moment;

/// An access: who, where in the program, and at which counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Record {
    pub(crate) group: u32,
    /// The operation, plus one: 0 stands for no access.
    pub(crate) position: u32,
    pub(crate) warp_count: u32,
    /// The thread's count of what orders it other than barriers: fences, releases, meetings in its warp. Strong writes have lower ones than what is before them.
    pub(crate) epoch: u32,
    pub(crate) thread: u16,
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
}

impl Record {
    pub(crate) fn moment(&self) -> Moment {
        let Self { group, warp_count, epoch, .. } = *self;
        Moment { group, thread: self.thread.into(), warp_count, epoch }
    }

    /// The record of a lane so many behind the one that this is of.
    #[inline]
    pub(super) fn of_lane_behind(self, lanes: u16) -> Self {
        Self { thread: self.thread.wrapping_add(lanes), ..self }
    }

    #[inline]
    pub(super) fn is_present(&self) -> bool {
        self.position != 0
    }

    #[inline]
    pub(super) fn is_same_thread(&self, other: &Self) -> bool {
        self.thread == other.thread && self.group == other.group
    }
}

/// The last write of one piece and two reads behind it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cell {
    pub(super) write: Record,
    pub(super) reads: [Record; 2],
}

impl Cell {
    /// Takes an access in, and gives the one that it races with. `is_ordered` says if a past access is ordered before it.
    #[inline(always)]
    pub(crate) fn access(&mut self, new: Record, is_ordered: impl Fn(&Record) -> bool) -> Option<Record> {
        let conflicts = |past: &Record| {
            let are_atomic = past.is_atomic && new.is_atomic;
            past.is_present() && !past.is_same_thread(&new) && !are_atomic && !is_ordered(past)
        };
        let mut race = if conflicts(&self.write) { Some(self.write) } else { None };
        if new.is_write {
            race = race.or_else(|| self.reads.into_iter().find(|read| conflicts(read)));
            *self = Self { write: new, reads: [Record::default(); 2] };
        } else {
            let replaceable =
                |past: &Record| !past.is_present() || past.is_same_thread(&new) || is_ordered(past);
            if let Some(slot) = self.reads.iter_mut().find(|past| replaceable(past)) {
                *slot = new;
            }
        }
        race
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(thread: u16, is_write: bool) -> Record {
        Record { thread, is_write, position: 1, ..Record::default() }
    }

    #[test]
    fn a_write_races_with_any_of_two_readers() {
        let mut cell = Cell::default();
        assert_eq!(cell.access(by(1, false), |_| false), None);
        assert_eq!(cell.access(by(2, false), |_| false), None);
        assert_eq!(cell.access(by(1, true), |_| false).map(|other| other.thread), Some(2));
    }

    #[test]
    fn a_thread_does_not_race_with_itself_nor_with_what_is_ordered() {
        let mut cell = Cell::default();
        assert_eq!(cell.access(by(1, true), |_| false), None);
        assert_eq!(cell.access(by(1, false), |_| false), None);
        assert_eq!(cell.access(by(2, true), |_| true), None);
        assert!(cell.access(by(3, false), |_| false).is_some());
    }

    #[test]
    fn atomics_race_with_plain_accesses_only() {
        let mut cell = Cell::default();
        let atomic = |thread| Record { is_atomic: true, ..by(thread, true) };
        assert_eq!(cell.access(atomic(1), |_| false), None);
        assert_eq!(cell.access(atomic(2), |_| false), None);
        assert!(cell.access(by(3, false), |_| false).is_some());
    }
}
