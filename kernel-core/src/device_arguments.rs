use crate::Slot;

/// A slice on its way to a kernel: a device address, never null, and a number of elements.
#[derive(Debug)]
pub struct RawSlice<T> {
    /// The first element.
    pub pointer: *mut T,
    /// The number of elements.
    pub len: usize,
}

/// A matrix on its way to a kernel: `rows * cols` elements, row after row.
#[derive(Debug)]
pub struct RawMatrix<T> {
    /// The first element.
    pub pointer: *mut T,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

/// A volume on its way to a kernel: `planes * rows * cols` elements, plane after plane, each row after row.
#[derive(Debug)]
pub struct RawVolume<T> {
    /// The first element.
    pub pointer: *mut T,
    /// The number of planes.
    pub planes: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl<T> RawSlice<T> {
    /// The slots of a slice: a pointer, and a number of 64 bits.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        slot(Slot::At((&raw const self.pointer).cast()));
        slot(Slot::At((&raw const self.len).cast()));
    }
}

impl<T> RawMatrix<T> {
    /// The slots of a matrix: a pointer, and two numbers of which a GPU takes the lower 32 bits, those in
    /// front.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        slot(Slot::At((&raw const self.pointer).cast()));
        slot(Slot::At((&raw const self.rows).cast()));
        slot(Slot::At((&raw const self.cols).cast()));
    }
}

impl<T> RawVolume<T> {
    /// The slots of a volume: a pointer, and three numbers of which a GPU takes the lower 32 bits, those in
    /// front.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        slot(Slot::At((&raw const self.pointer).cast()));
        slot(Slot::At((&raw const self.planes).cast()));
        slot(Slot::At((&raw const self.rows).cast()));
        slot(Slot::At((&raw const self.cols).cast()));
    }
}

#[cfg(target_endian = "big")]
compile_error!(
    "sizes of matrices and volumes are passed by their lower halves, which this target has behind"
);

impl<T> Clone for RawSlice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawSlice<T> {}

impl<T> Clone for RawMatrix<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawMatrix<T> {}

impl<T> Clone for RawVolume<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawVolume<T> {}
