//! Small kernels about sorts.

use gridwright::prelude::*;

/// Threads of a group.
pub const BLOCK: usize = 256;

/// Writes each element's number.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn number(t: Thread, mut to: PerThread<[u32]>) {
    if let Some(to) = to.get_mut(t) {
        *to = t.index() as u32;
    }
}

/// Writes how many offsets each element's number isn't below: the segment that it is in, and one.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn segment_of(t: Thread, offsets: &[u32], mut to: PerThread<[u32]>) {
    let Some(to) = to.get_mut(t) else { return };
    let (mut low, mut high) = (0, offsets.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if offsets[middle] as usize <= t.index() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *to = low as u32;
}
