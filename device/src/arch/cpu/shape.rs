use super::{Isa, Rect};

/// How the threads of a phase are laid out, what instruction set runs them, and whether they are all
/// inside: one type, so that each copy of a kernel's body has one call site.
///
/// # Safety
/// `ISA` is available where a value exists.
pub unsafe trait Shape: Copy + 'static {
    /// The instruction set.
    const ISA: Isa;
    /// Whether each parameter's facts hold for each thread.
    const INTERIOR: bool;

    /// The number of rows.
    fn rows(self) -> usize;
    /// The number of threads in a row.
    fn cols(self) -> usize;
}

/// A part of one row. `ISA` is an [`Isa`] as a number.
#[derive(Clone, Copy, Debug)]
pub struct Line<const ISA: u8>(usize);

/// Several rows.
#[derive(Clone, Copy, Debug)]
pub struct Band<const ISA: u8> {
    rows: usize,
    cols: usize,
}

/// The same, where all threads are inside.
#[derive(Clone, Copy, Debug)]
pub struct Interior<S>(S);

impl<const ISA: u8> Line<ISA> {
    /// # Safety
    /// This machine has the instruction set.
    pub(super) unsafe fn new(rect: &Rect) -> Self {
        Self(rect.cols.len())
    }
}

impl<const ISA: u8> Band<ISA> {
    /// # Safety
    /// This machine has the instruction set.
    pub(super) unsafe fn new(rect: &Rect) -> Self {
        Self { rows: rect.rows.len(), cols: rect.cols.len() }
    }
}

impl<S: Shape> Interior<S> {
    /// # Safety
    /// Each thread of the shape is in the interior of each parameter.
    pub(super) unsafe fn new(shape: S) -> Self {
        Self(shape)
    }
}

const fn isa(number: u8) -> Isa {
    match number {
        n if n == Isa::Avx512 as u8 => Isa::Avx512,
        n if n == Isa::Avx2 as u8 => Isa::Avx2,
        _ => Isa::Baseline,
    }
}

// SAFETY: `new` asks for it.
unsafe impl<const ISA: u8> Shape for Line<ISA> {
    const ISA: Isa = isa(ISA);
    const INTERIOR: bool = false;

    #[inline(always)]
    fn rows(self) -> usize {
        1
    }

    #[inline(always)]
    fn cols(self) -> usize {
        self.0
    }
}

// SAFETY: `new` asks for it.
unsafe impl<const ISA: u8> Shape for Band<ISA> {
    const ISA: Isa = isa(ISA);
    const INTERIOR: bool = false;

    #[inline(always)]
    fn rows(self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn cols(self) -> usize {
        self.cols
    }
}

// SAFETY: the inner shape's own promise.
unsafe impl<S: Shape> Shape for Interior<S> {
    const ISA: Isa = S::ISA;
    const INTERIOR: bool = true;

    #[inline(always)]
    fn rows(self) -> usize {
        self.0.rows()
    }

    #[inline(always)]
    fn cols(self) -> usize {
        self.0.cols()
    }
}
