use crate::{RawMatrix, Slot};

/// A slice on its way to a kernel, beside a list of indices that says where in it each owner's part is.
#[derive(Debug)]
pub struct RawParts<T> {
    /// The slice's first element.
    pub pointer: *mut T,
    /// The number of elements.
    pub len: usize,
    /// The first index.
    pub indices: *const u32,
    /// The number of parts.
    pub count: usize,
}

/// A matrix on its way to a kernel, beside the place of its tiles.
#[derive(Debug)]
pub struct RawPlaced<T> {
    /// The matrix.
    pub matrix: RawMatrix<T>,
    /// The first tile's row of tiles.
    pub row: usize,
    /// The first tile's column of tiles.
    pub col: usize,
    /// The first of a list of tiles' numbers, where there is a list.
    pub numbers: *const u32,
    /// The number of tiles in the list.
    pub count: usize,
}

impl<T> RawParts<T> {
    /// The slots of a slice and of its list: a pointer and a number of 64 bits of each.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        slot(Slot::At((&raw const self.pointer).cast()));
        slot(Slot::At((&raw const self.len).cast()));
        slot(Slot::At((&raw const self.indices).cast()));
        slot(Slot::At((&raw const self.count).cast()));
    }
}

impl<T> RawPlaced<T> {
    /// The slots of a matrix, two numbers of which a GPU takes the lower 32 bits, and a pointer and a number of 64 bits.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        self.matrix.slots(&mut slot);
        slot(Slot::At((&raw const self.row).cast()));
        slot(Slot::At((&raw const self.col).cast()));
        slot(Slot::At((&raw const self.numbers).cast()));
        slot(Slot::At((&raw const self.count).cast()));
    }
}

impl<T> Clone for RawParts<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawParts<T> {}

impl<T> Clone for RawPlaced<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawPlaced<T> {}
