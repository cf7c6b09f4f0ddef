//! The memory that all peers share: what they read and what they write. Ours has buffers of its own.

use std::ptr;

use bytemuck::{cast_slice, cast_slice_mut};
use rayon::prelude::*;

use crate::value::{Pair, Value};

/// Bins of a histogram.
pub(crate) const BINS: usize = 256;

/// What histograms count is below this.
pub(crate) const UPPER: u32 = 1 << 16;

/// Elements of a piece of a copy.
const PIECE: usize = 1 << 16;

/// Arrays that algorithms read and write.
pub(crate) struct Arena<T> {
    pub(crate) x: Vec<T>,
    /// Results. A sort finds here what it sorts.
    pub(crate) y: Vec<T>,
    /// What selections compare with.
    pub(crate) limit: T,
    pub(crate) bins: Vec<u32>,
    /// The result, of those who allocate it.
    pub(crate) kept: Option<Vec<T>>,
}

impl<T: Value> Arena<T> {
    pub(crate) fn new(elements: impl Fn(usize) -> T + Sync, len: usize) -> Self {
        let mut x = large(len);
        x.par_iter_mut().enumerate().for_each(|(i, x)| *x = elements(i));
        Self { x, y: large(len), limit: T::half(), bins: vec![0; BINS], kept: None }
    }

    /// Takes a vector as the result, which drops the one of the call before.
    pub(crate) fn keep(&mut self, kept: Vec<T>) -> usize {
        let len = kept.len();
        self.kept = Some(kept);
        len
    }

    /// Takes a number as the result.
    pub(crate) fn keep_sum(&mut self, sum: T) -> usize {
        self.y[0] = sum;
        1
    }

    /// Writes what is to be sorted.
    pub(crate) fn refill(&mut self) {
        self.y.par_chunks_mut(PIECE).zip(self.x.par_chunks(PIECE)).for_each(|(y, x)| y.copy_from_slice(x));
    }
}

impl Arena<Pair> {
    /// Writes the pairs that are to be sorted: all keys, then all values.
    pub(crate) fn refill_columns(&mut self) {
        let (keys, values) = columns_mut(&mut self.y);
        let both = keys.par_iter_mut().zip(values).zip(&self.x);
        both.for_each(|((key, value), pair)| (*key, *value) = (pair.key, pair.value));
    }

    /// Makes pairs of the keys and values.
    pub(crate) fn rows_of_columns(&mut self) {
        let columns = self.y.clone();
        let (keys, values) = columns_of(&columns);
        let both = self.y.iter_mut().zip(keys.iter().zip(values));
        both.for_each(|(pair, (&key, &value))| *pair = Pair { key, value });
    }
}

fn columns_of(pairs: &[Pair]) -> (&[u32], &[u32]) {
    cast_slice(pairs).split_at(pairs.len())
}

/// The memory of pairs as keys and values.
pub(crate) fn columns_mut(pairs: &mut [Pair]) -> (&mut [u32], &mut [u32]) {
    let len = pairs.len();
    cast_slice_mut(pairs).split_at_mut(len)
}

/// Zeros, on large pages where they fill some, as Gridwright's buffers are.
fn large<T: Value>(len: usize) -> Vec<T> {
    /// A size of pages that all processors with larger ones have, and most use.
    const PAGE: usize = 2 << 20;
    let mut zeros = Vec::<T>::with_capacity(len);
    let start = zeros.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if let Some(whole) = (len * size_of::<T>()).checked_sub(skipped).filter(|bytes| *bytes >= PAGE) {
        let first = start.wrapping_add(skipped);
        // SAFETY: the pages are the vector's own. The call is a hint, and what it returns doesn't matter.
        unsafe { libc::madvise(first.cast(), whole / PAGE * PAGE, libc::MADV_HUGEPAGE) };
    }
    zeros.resize(len, T::zeroed());
    debug_assert!(ptr::eq(zeros.as_ptr().cast(), start));
    zeros
}
