//! Puzzle 8: a race.
//!
//! This kernel came from CUDA as it was, with raw pointers. Each thread puts its element into workgroup memory and takes another thread's
//! from there. A barrier was forgotten, and the emulator finds the race. Mend it: by `sync_threads`, or by writing it anew in phases,
//! without `unsafe`. A kernel that is no `unsafe fn` is launched without `unsafe` too.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

const BLOCK: usize = 64;

/// Turns each group's elements around.
///
/// # Safety
/// `x` has an element for each thread.
#[gpu_kernel(block = BLOCK)]
unsafe fn turn_around(t: Thread, x: *mut u32, mut tile: Workgroup<[u32; BLOCK]>) {
    let (i, l, tile) = (t.index(), t.local().x, tile.as_mut_ptr());
    // SAFETY: there is an element for each thread.
    unsafe { *tile.add(l) = *x.add(i) };
    // SAFETY: … but is the other thread's element there?
    unsafe { *x.add(i) = *tile.add(BLOCK - 1 - l) };
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::turn_around(device, |stream, config, x| {
        // SAFETY: the buffer has an element for each thread.
        unsafe { turn_around::load(device)?.launch(stream, config, (x,)).map(|_| ()) }
    })
}
