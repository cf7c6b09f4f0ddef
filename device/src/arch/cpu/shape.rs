use core::marker::PhantomData;

use super::{Isa, Rect, ThreadKernel};

/// How the threads of a phase are laid out, what instruction set runs them, and what is known of
/// them: one type, so that each copy of a kernel's body has one call site.
///
/// # Safety
/// `ISA` is available where a value exists.
pub unsafe trait Shape: Copy + 'static {
    /// The instruction set.
    const ISA: Isa;
    /// Which of the parameters' facts hold for each thread.
    const FACTS: Facts;
    /// The parameters whose facts hold, by bits.
    const DIRECT: u64;

    /// The number of rows.
    fn rows(self) -> usize;
    /// The number of threads in a row.
    fn cols(self) -> usize;
}

/// The shape of a part of one row. `ISA` is an [`Isa`] as a number.
#[derive(Clone, Copy, Debug)]
pub struct Line<const ISA: u8>(usize);

/// The shape of several rows.
#[derive(Clone, Copy, Debug)]
pub struct Band<const ISA: u8> {
    rows: usize,
    cols: usize,
}

/// A shape whose threads are all inside each parameter that the kernel `K` reads or owns at their place; with `COLUMNS_ONLY`, their
/// columns are.
#[derive(Debug)]
pub struct Interior<S, K, const COLUMNS_ONLY: bool>(S, PhantomData<fn() -> K>);

impl<S: Copy, K, const COLUMNS_ONLY: bool> Clone for Interior<S, K, COLUMNS_ONLY> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Copy, K, const COLUMNS_ONLY: bool> Copy for Interior<S, K, COLUMNS_ONLY> {}

/// What a loop may take for granted about its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facts {
    /// Nothing is known of the threads.
    None,
    /// The columns are inside each matrix. Rows are the same for a whole row of threads, so that a test of
    /// them doesn't keep the loop from being vectorised.
    Columns,
    /// Indices, rows and columns are inside each parameter.
    All,
}

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

impl<S: Shape, K: ThreadKernel, const COLUMNS_ONLY: bool> Interior<S, K, COLUMNS_ONLY> {
    /// # Safety
    /// Each thread of the shape is in the interior of each parameter of `K::DIRECT`, or each column with `COLUMNS_ONLY`.
    pub(super) unsafe fn new(shape: S) -> Self {
        Self(shape, PhantomData)
    }
}

pub(super) const fn isa(number: u8) -> Isa {
    match number {
        n if n == Isa::Avx512 as u8 => Isa::Avx512,
        n if n == Isa::Avx2 as u8 => Isa::Avx2,
        _ => Isa::Baseline,
    }
}

// SAFETY: `new` asks for it.
unsafe impl<const ISA: u8> Shape for Line<ISA> {
    const ISA: Isa = isa(ISA);
    const FACTS: Facts = Facts::None;
    const DIRECT: u64 = 0;

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
    const FACTS: Facts = Facts::None;
    const DIRECT: u64 = 0;

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
unsafe impl<S: Shape, K: ThreadKernel + 'static, const COLUMNS_ONLY: bool> Shape
    for Interior<S, K, COLUMNS_ONLY>
{
    const ISA: Isa = S::ISA;
    const FACTS: Facts = if COLUMNS_ONLY { Facts::Columns } else { Facts::All };
    const DIRECT: u64 = K::DIRECT;

    #[inline(always)]
    fn rows(self) -> usize {
        self.0.rows()
    }

    #[inline(always)]
    fn cols(self) -> usize {
        self.0.cols()
    }
}
