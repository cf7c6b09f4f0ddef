//! Histograms: each thread counts on its own, then the counts are added.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cpu::index::Index;
use crate::cpu::{Read, Workers};

/// Elements that a thread takes at a time: what is counted in 32 bits until it is added.
const CHUNK: usize = 1 << 16;

/// Bytes of a thread's counts up to which it has [`COPIES`] of them.
const COPIED_BYTES: usize = 8 << 10;

/// The least elements that are worth waking a thread for.
const PARALLEL_ELEMENTS: usize = 1 << 16;

/// Elements of a bin, in the mean, below which a thread's own counts aren't worth clearing and adding.
const FEW_PER_BIN: usize = 16;

/// Counts of a bin in turn: a count that was just written is not yet read again.
const COPIES: usize = 4;

/// Adds to each count how many elements `bin` gives its number for. Others, of bins that there are not, aren't counted.
///
/// # Safety
/// `bin` may be called with numbers below `len`.
pub(crate) unsafe fn histogram<C: Index>(
    workers: Workers,
    len: usize,
    bin: impl Fn(usize) -> usize + Sync,
    counts: &mut [C],
) {
    let bins = counts.len();
    let parallel = len >= PARALLEL_ELEMENTS && len / 4 >= bins;
    if !parallel && len < FEW_PER_BIN * bins {
        for i in 0..len {
            if let Some(count) = counts.get_mut(bin(i)) {
                *count = C::from_usize(count.to_usize().wrapping_add(1));
            }
        }
        return;
    }
    let copies = if bins.saturating_mul(COPIES * 4) <= COPIED_BYTES { COPIES } else { 1 };
    let counts = Mutex::new(counts);
    let next = AtomicUsize::new(0);
    let tasks = if parallel { workers.threads() } else { 1 };
    workers.run(tasks, |_| {
        let mut own = vec![0_u32; bins * copies];
        let mut counted = 0;
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed).min(len);
            let end = len.min(first + CHUNK);
            if first < end {
                match copies {
                    COPIES => count_in::<COPIES>(first..end, &bin, bins, &mut own),
                    _ => count_in::<1>(first..end, &bin, bins, &mut own),
                }
            }
            counted += end - first;
            if first == end || counted > u32::MAX as usize - CHUNK {
                add(&mut own, *counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
                counted = 0;
            }
            if first == end {
                return;
            }
        }
    });
}

/// Adds a thread's counts, and sets them to 0.
fn add<C: Index>(own: &mut [u32], counts: &mut [C]) {
    if counts.is_empty() {
        return;
    }
    for own in own.chunks_exact_mut(counts.len()) {
        for (count, own) in counts.iter_mut().zip(own) {
            *count = C::from_usize(count.to_usize().wrapping_add(std::mem::take(own) as usize));
        }
    }
}

/// Counts some elements. Not once for each instruction set: what vectors compute of bins is slower to take out of them again.
fn count_in<const COPIES: usize>(
    elements: Range<usize>,
    bin: impl Fn(usize) -> usize,
    bins: usize,
    own: &mut [u32],
) {
    debug_assert_eq!(own.len(), bins * COPIES);
    let own = own.as_mut_ptr();
    let count = |copy: usize, i: usize| {
        let bin = bin(i);
        if bin < bins {
            // SAFETY: one of as many counts as there are bins, of each copy.
            unsafe { *own.add(copy * bins + bin) += 1 };
        }
    };
    let mut at = elements.start;
    while elements.end - at >= COPIES {
        for copy in 0..COPIES {
            count(copy, at + copy);
        }
        at += COPIES;
    }
    for i in at..elements.end {
        count(0, i);
    }
}

/// Adds to each count how many elements are its number.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn histogram_of_bins<I: Read<Item: Index>, C: Index>(
    workers: Workers,
    input: I,
    len: usize,
    counts: &mut [C],
) {
    // SAFETY: within the input.
    let bin = |i| unsafe { input.get(i) }.to_usize();
    // SAFETY: as the caller says.
    unsafe { histogram(workers, len, bin, counts) };
}
