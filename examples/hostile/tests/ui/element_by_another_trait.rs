//! A kernel that begins with its element asks the library for it, whatever trait has a method of that name.
use gridwright::prelude::*;

trait Mine {
    fn get_mut(self, t: Thread<'_>) -> Option<usize>;
}

impl Mine for PerThread<'_, [u32]> {
    fn get_mut(self, t: Thread<'_>) -> Option<usize> {
        Some(t.index())
    }
}

#[gpu_kernel]
fn beyond(t: Thread, mut y: PerThread<[u32]>, n: Atomic<[u32]>) {
    let Some(i) = y.get_mut(t) else { return };
    n.fetch_max(t, 0, i as u32);
}

fn main() {}
