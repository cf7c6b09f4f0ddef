//! Elements by their numbers.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::cpu::index::Index;
use crate::cpu::output::Output;
use crate::cpu::turn::{PARALLEL_BLOCKS, for_each_block};
use crate::cpu::{Read, Workers};

/// An index that can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexError {
    /// There is no such element.
    OutOfBounds {
        /// The index's number among the indices, the first of several.
        place: usize,
        /// The index.
        index: usize,
    },
    /// An index before is the same.
    Repeated {
        /// The index's number among the indices, the first of several.
        place: usize,
        /// The index.
        index: usize,
    },
}

/// Indices that a task checks.
const CHUNK: usize = 4096;

/// The most threads that scatter elements: each reads all indices.
const MOST_SCATTERERS: usize = 16;

/// Writes each element to the place that its index names. If several have the same index, the last one's stays; `distinct` refuses that, for
/// which it needs a bit of memory for each place.
///
/// # Errors
/// [`IndexError`]. Nothing was written then.
///
/// # Safety
/// The input has as many elements as there are indices.
pub(crate) unsafe fn scatter<I: Read, X: Index>(
    workers: Workers,
    input: I,
    indices: &[X],
    out: &mut [I::Item],
    distinct: bool,
) -> Result<(), IndexError> {
    check(workers, indices.len(), |i| indices[i].to_usize(), out.len())?;
    let output = Output::new(out);
    if distinct {
        check_distinct(workers, indices, output.len())?;
        for_each_block(workers, indices.len(), CHUNK, |chunk| {
            let first = chunk * CHUNK;
            for (i, index) in indices[first..indices.len().min(first + CHUNK)].iter().enumerate() {
                // SAFETY: below the length, and no other index is the same: both checked of indices that nobody changes.
                unsafe { output.set(index.to_usize(), input.get(first + i)) };
            }
        });
        return Ok(());
    }
    let tasks =
        if indices.len() < PARALLEL_BLOCKS * CHUNK { 1 } else { workers.threads().min(MOST_SCATTERERS) };
    let places = output.len().div_ceil(tasks);
    workers.run(tasks, |task| {
        for (i, index) in indices.iter().enumerate() {
            let index = index.to_usize();
            if tasks == 1 || index / places == task {
                // SAFETY: below the length, as was checked of indices that nobody changes, and only this task writes to this part.
                unsafe { output.set(index, input.get(i)) };
            }
        }
    });
    Ok(())
}

fn check(
    workers: Workers,
    count: usize,
    index: impl Fn(usize) -> usize + Sync,
    len: usize,
) -> Result<(), IndexError> {
    let first = AtomicUsize::new(usize::MAX);
    for_each_block(workers, count, CHUNK, |chunk| {
        let numbers = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
        // All first, which vectors can do.
        if numbers.clone().fold(false, |any, i| any | (index(i) >= len))
            && let Some(place) = numbers.into_iter().find(|&i| index(i) >= len)
        {
            first.fetch_min(place, Ordering::Relaxed);
        }
    });
    match first.into_inner() {
        usize::MAX => Ok(()),
        place => Err(IndexError::OutOfBounds { place, index: index(place) }),
    }
}

/// Indices are below `len`.
fn check_distinct<X: Index>(workers: Workers, indices: &[X], len: usize) -> Result<(), IndexError> {
    let seen: Vec<AtomicU64> = (0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let see = |index: usize| {
        seen[index / 64].fetch_or(1 << (index % 64), Ordering::Relaxed) >> (index % 64) & 1 == 1
    };
    let any = AtomicUsize::new(0);
    for_each_block(workers, indices.len(), CHUNK, |chunk| {
        let part = &indices[chunk * CHUNK..indices.len().min((chunk + 1) * CHUNK)];
        if part.iter().any(|index| see(index.to_usize())) {
            any.store(1, Ordering::Relaxed);
        }
    });
    if any.into_inner() == 0 {
        return Ok(());
    }
    // Which is the first, in order.
    seen.iter().for_each(|bits| bits.store(0, Ordering::Relaxed));
    match indices.iter().position(|index| see(index.to_usize())) {
        Some(place) => Err(IndexError::Repeated { place, index: indices[place].to_usize() }),
        None => Ok(()),
    }
}
