use super::{Band, Chunk, Interior, Isa, Line, Rect, Views};
use crate::{Raw, Signature};
use gridwright_core::ParamList;

/// A kernel's code for the CPU: runs the threads of `chunk.owned`. The pointer is at the kernel's
/// [`Raw`] arguments.
pub type Entry = unsafe fn(Isa, &mut Chunk<'_>, *const ());

/// Runs the threads of `chunk.owned`: the interior with its facts, then the strips around it without.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`], which is as [`run_threads`](super::run_threads) asks for
///   `chunk.owned`.
/// - This machine has `isa`.
/// - `chunk.owned` isn't empty and is one row, or whole rows, of a launch of at most `K::Params::RANK`
///   dimensions.
pub unsafe fn run_chunk<K: Signature>(isa: Isa, chunk: &mut Chunk<'_>, arguments: *const ()) {
    // SAFETY: the caller's contract.
    let arguments = unsafe { &*arguments.cast::<Raw<K>>() };
    let owned = chunk.owned.clone();
    let inner = <K::Params as ParamList>::Passing::interior(arguments, chunk).intersection(&owned);
    if inner.is_empty() {
        chunk.running = owned;
        // SAFETY: the caller's contract.
        return unsafe { run_rect::<K, false>(isa, chunk, arguments) };
    }
    let [above, below, left, right] = owned.around(&inner);
    // In the order of memory, as far as rectangles go.
    for (rect, interior) in [(above, false), (left, false), (inner, true), (right, false), (below, false)] {
        if !rect.is_empty() {
            chunk.running = rect;
            // SAFETY: the caller's contract; `inner` is in the interior.
            unsafe {
                if interior {
                    run_rect::<K, true>(isa, chunk, arguments);
                } else {
                    run_rect::<K, false>(isa, chunk, arguments);
                }
            }
        }
    }
}

/// # Safety
/// As for `run_chunk`, and `chunk.running` is in the interior if `INTERIOR`.
unsafe fn run_rect<K: Signature, const INTERIOR: bool>(isa: Isa, chunk: &Chunk<'_>, arguments: &Raw<K>) {
    // SAFETY: the caller's contract.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => run_isa::<K, { Isa::Avx512 as u8 }, INTERIOR>(chunk, arguments),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => run_isa::<K, { Isa::Avx2 as u8 }, INTERIOR>(chunk, arguments),
            _ => run_isa::<K, { Isa::Baseline as u8 }, INTERIOR>(chunk, arguments),
        }
    }
}

/// # Safety
/// As for `run_rect`, and this machine has the instruction set.
unsafe fn run_isa<K: Signature, const ISA: u8, const INTERIOR: bool>(chunk: &Chunk<'_>, arguments: &Raw<K>) {
    let rect: &Rect = &chunk.running;
    // SAFETY: the caller's contract. A kernel of rank 1 has one row.
    unsafe {
        if K::Params::RANK == 1 {
            let line = Line::<ISA>::new(rect);
            if INTERIOR {
                K::run(Interior::new(line), chunk, arguments);
            } else {
                K::run(line, chunk, arguments);
            }
        } else {
            let band = Band::<ISA>::new(rect);
            if INTERIOR {
                K::run(Interior::new(band), chunk, arguments);
            } else {
                K::run(band, chunk, arguments);
            }
        }
    }
}
