//! The registers of a warp: rows of 32 lanes, frame behind frame, and the module's constants beside them.

use std::fmt::Debug;
use std::sync::Arc;

use super::WARP;
use super::slot::Slot;

/// A row of 32 lanes, which no cache line is split by.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Row<T>(pub(crate) [T; WARP]);

/// The constants of a module, as rows.
#[derive(Debug)]
pub(crate) struct Constants {
    pub(crate) narrow: Arc<[Row<u32>]>,
    pub(crate) wide: Arc<[Row<u64>]>,
}

/// What a row consists of.
pub(crate) trait Element: Copy + Default + Debug + PartialEq + 'static {
    /// What a row reads as that isn't there.
    const NOTHING: &'static [Self; WARP];
}

impl Element for u32 {
    const NOTHING: &'static [Self; WARP] = &[0; WARP];
}

impl Element for u64 {
    const NOTHING: &'static [Self; WARP] = &[0; WARP];
}

/// Rows at a place in memory.
#[derive(Debug, Clone, Copy)]
struct Bank<T> {
    first: *mut Row<T>,
    count: usize,
}

/// Rows of registers, which grow, and those of constants, which nothing writes. A slot names one of either, without a branch.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    own: Vec<Row<T>>,
    constants: Arc<[Row<T>]>,
    /// The rows of `own`, and those of `constants`.
    banks: [Bank<T>; 2],
}

impl<T: Element> Rows<T> {
    pub(crate) fn new(constants: Arc<[Row<T>]>) -> Self {
        Self::of(Vec::new(), constants)
    }

    fn of(mut own: Vec<Row<T>>, constants: Arc<[Row<T>]>) -> Self {
        let banks = [
            Bank { first: own.as_mut_ptr(), count: own.len() },
            Bank { first: constants.as_ptr().cast_mut(), count: constants.len() },
        ];
        Self { own, constants, banks }
    }

    /// Makes room for this many rows, and keeps those that are there.
    pub(crate) fn grow(&mut self, rows: usize) {
        if rows > self.own.len() {
            let mut own = std::mem::take(&mut self.own);
            own.resize(rows, Row([T::default(); WARP]));
            *self = Self::of(own, Arc::clone(&self.constants));
        }
    }

    /// The row of a slot in the frame that begins at a row. One that decoded code can't name reads as zeros, rather than end the program.
    #[inline(always)]
    pub(crate) fn row(&self, slot: Slot, start: u32) -> &[T; WARP] {
        let bank = &self.banks[slot.bank()];
        let index = slot.index_from(start) as usize;
        if index < bank.count {
            // SAFETY: a bank's rows are those of a vector or a slice that live as long as this value; `row_mut` alone
            // writes to them, and it takes this value for itself.
            unsafe { &(*bank.first.add(index)).0 }
        } else {
            T::NOTHING
        }
    }

    /// The row of a register. None for constants.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, slot: Slot, start: u32) -> Option<&mut [T; WARP]> {
        // A constant's slot is beyond all rows.
        let index = start.wrapping_add(slot.0) as usize;
        if index < self.banks[0].count {
            // SAFETY: the bank's rows are those of the vector, which nothing else refers to while this value is borrowed.
            Some(unsafe { &mut (*self.banks[0].first.add(index)).0 })
        } else {
            None
        }
    }

    /// Whether all rows have what others have.
    fn is_equal(&self, other: &Self) -> bool {
        let pairs = self.own.iter().zip(&other.own);
        self.own.len() == other.own.len() && pairs.into_iter().all(|(own, other)| own.0 == other.0)
    }

    /// Makes a lane's values those of other rows.
    fn copy_lane(&mut self, from: &Self, lane: usize) {
        for index in 0..self.own.len() as u32 {
            let value = from.row(Slot(index), 0)[lane];
            if let Some(row) = self.row_mut(Slot(index), 0) {
                row[lane] = value;
            }
        }
    }
}

impl<T: Element> Clone for Rows<T> {
    fn clone(&self) -> Self {
        Self::of(self.own.clone(), Arc::clone(&self.constants))
    }
}

/// The registers of a warp, of all frames. Frames of lanes at different depths share rows: each uses its own columns.
#[derive(Debug, Clone)]
pub(crate) struct Registers {
    pub(crate) narrow: Rows<u32>,
    pub(crate) wide: Rows<u64>,
    /// Predicates, one bit a lane.
    pub(crate) predicates: Vec<u32>,
}

impl Registers {
    pub(crate) fn new(constants: &Constants) -> Self {
        Self {
            narrow: Rows::new(Arc::clone(&constants.narrow)),
            wide: Rows::new(Arc::clone(&constants.wide)),
            predicates: Vec::new(),
        }
    }

    pub(crate) fn grow(&mut self, narrow: usize, wide: usize, predicates: usize) {
        self.narrow.grow(narrow);
        self.wide.grow(wide);
        self.predicates.resize(self.predicates.len().max(predicates), 0);
    }

    /// Whether all registers hold what another set's do.
    pub(crate) fn is_equal(&self, other: &Self) -> bool {
        self.predicates == other.predicates
            && self.narrow.is_equal(&other.narrow)
            && self.wide.is_equal(&other.wide)
    }

    /// Makes a lane's registers those of another set.
    pub(crate) fn copy_lane(&mut self, from: &Self, lane: usize) {
        self.narrow.copy_lane(&from.narrow, lane);
        self.wide.copy_lane(&from.wide, lane);
        for (own, other) in self.predicates.iter_mut().zip(&from.predicates) {
            *own = (*own & !(1 << lane)) | (other & 1 << lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_names_a_row_of_its_frame_or_a_constant() {
        let constants: Arc<[Row<u32>]> = vec![Row([7; WARP]), Row([8; WARP])].into();
        let mut rows = Rows::new(constants);
        rows.grow(3);
        rows.row_mut(Slot(1), 1).unwrap().fill(5);
        rows.grow(9);
        assert_eq!(rows.row(Slot(2), 0), &[5; WARP]);
        assert_eq!(rows.row(Slot(0), 2), &[5; WARP]);
        assert_eq!(rows.row(Slot::constant(1), 2), &[8; WARP]);
        let copy = rows.clone();
        rows.row_mut(Slot(2), 0).unwrap().fill(6);
        assert_eq!(copy.row(Slot(2), 0), &[5; WARP]);
    }

    #[test]
    fn what_no_code_can_name_reads_as_zeros_and_is_not_written() {
        let mut rows = Rows::<u64>::new(vec![Row([7; WARP])].into());
        rows.grow(2);
        assert_eq!(rows.row(Slot(2), 0), &[0; WARP]);
        assert_eq!(rows.row(Slot(1), 1), &[0; WARP]);
        assert_eq!(rows.row(Slot::constant(1), 0), &[0; WARP]);
        assert!(rows.row_mut(Slot(1), 1).is_none());
        assert!(rows.row_mut(Slot::constant(0), 0).is_none());
    }
}
