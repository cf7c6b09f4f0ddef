//! Who accessed the pieces of a row last: one record for all lanes of a warp, as long as warps access the row as a whole.
//!
//! A kernel whose threads access elements side by side, as most do, needs one cell for a row of 32 pieces. What any other access leads to
//! is 32 cells.

use super::cell::{Cell, Record};

/// Pieces of a row.
pub(crate) const ROW: usize = 32;

/// The cells of a row.
#[derive(Debug)]
pub(crate) enum Row {
    /// Records of the first of some threads, of which each accessed `1 << shift` pieces.
    Together {
        first: Cell,
        shift: u8,
    },
    Apart(Box<[Cell; ROW]>),
}

impl Default for Row {
    fn default() -> Self {
        Self::Together { first: Cell::default(), shift: 0 }
    }
}

impl Row {
    /// Takes accesses to all pieces in, of threads side by side of which `new` is the first's, where they race with nothing and the
    /// same is known of all. If not, nothing is changed, and each thread's access is to be taken in alone. `is_ordered` says if a past
    /// access is ordered before the one of a thread so many behind the first.
    #[inline]
    pub(crate) fn access_together(
        &mut self,
        new: Record,
        shift: u8,
        is_ordered: impl Fn(&Record, usize) -> bool,
    ) -> bool {
        let Self::Together { first, shift: known } = self else { return false };
        let records = [first.write, first.reads[0], first.reads[1]];
        if *known != shift && records.iter().any(Record::is_present) {
            return false;
        }
        let are_one = |past: &Record| {
            if !past.is_present() || past.is_same_thread(&new) {
                return true;
            }
            let of_first = is_ordered(past, 0);
            let last = ROW >> shift;
            (1..last).all(|lane| is_ordered(&past.of_lane_behind(lane as u16), lane) == of_first)
        };
        if !records.iter().all(are_one) {
            return false;
        }
        let mut cell = *first;
        if cell.access(new, |past| is_ordered(past, 0)).is_some() {
            return false;
        }
        (*first, *known) = (cell, shift);
        true
    }

    /// The cell of a piece.
    #[inline]
    pub(crate) fn cell(&mut self, piece: usize) -> &mut Cell {
        if let Self::Together { first, shift } = *self {
            *self = Self::Apart(apart(first, shift));
        }
        match self {
            Self::Apart(cells) => &mut cells[piece % ROW],
            Self::Together { first, .. } => first,
        }
    }
}

#[cold]
fn apart(first: Cell, shift: u8) -> Box<[Cell; ROW]> {
    let of = |record: Record, piece: usize| match record.is_present() {
        true => record.of_lane_behind((piece >> shift) as u16),
        false => record,
    };
    Box::new(std::array::from_fn(|piece| Cell {
        write: of(first.write, piece),
        reads: first.reads.map(|record| of(record, piece)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(thread: u16, is_write: bool) -> Record {
        Record { thread, is_write, position: 1, ..Record::default() }
    }

    #[test]
    fn a_row_that_warps_access_as_a_whole_stays_together() {
        let mut row = Row::default();
        assert!(row.access_together(by(0, false), 0, |_, _| false));
        assert!(row.access_together(by(0, true), 0, |_, _| false));
        assert!(row.access_together(by(32, false), 0, |_, _| true));
        assert!(matches!(row, Row::Together { .. }));
    }

    #[test]
    fn what_races_is_left_to_each_thread_which_finds_it() {
        let mut row = Row::default();
        assert!(row.access_together(by(0, true), 1, |_, _| false));
        assert!(!row.access_together(by(32, true), 1, |_, _| false));
        let race = row.cell(7).access(by(35, true), |_| false);
        assert_eq!(race.map(|other| other.thread), Some(3));
        assert_eq!(row.cell(8).access(by(4, true), |_| false), None);
        assert!(!row.access_together(by(32, true), 1, |_, _| true));
    }

    #[test]
    fn what_is_not_known_of_all_is_left_to_each_thread() {
        let mut row = Row::default();
        assert!(row.access_together(by(0, true), 0, |_, _| false));
        assert!(!row.access_together(by(32, false), 0, |_, lane| lane != 9));
        assert!(!row.access_together(by(0, false), 1, |_, _| true), "another size");
        assert!(row.access_together(by(32, false), 0, |_, _| true));
    }
}
