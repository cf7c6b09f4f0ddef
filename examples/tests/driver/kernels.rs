//! The kernels of these tests.

use gridwright::prelude::*;

/// Whose result shows in which order it ran after others.
#[gpu_kernel(requires = x.len() == z.len() && y.len() == z.len())]
pub(super) fn mix(t: Thread, k: u32, x: &[u32], y: &[u32], mut z: PerThread<[u32]>) {
    let i = t.index();
    if let Some(z) = z.get_mut(t) {
        *z = z.wrapping_mul(31).wrapping_add(x[i].wrapping_mul(7)).wrapping_add(y[i] ^ k);
    }
}

/// What `mix` does to an element.
#[host_only]
pub(super) fn mixed(k: u32, x: u32, y: u32, z: u32) -> u32 {
    z.wrapping_mul(31).wrapping_add(x.wrapping_mul(7)).wrapping_add(y ^ k)
}

#[gpu_kernel]
pub(super) fn advance(t: Thread, times: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        for _ in 0..times {
            *x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
    }
}

/// What `advance` does to an element.
#[host_only]
pub(super) fn advanced(times: u32, x: u32) -> u32 {
    (0..times).fold(x, |x, _| x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
}

/// Panics where an element is less.
#[gpu_kernel]
pub(super) fn demand(t: Thread, least: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x >= least, "it is less");
    }
}

#[gpu_kernel(max_threads = 128)]
pub(super) fn at_most_128(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += 1;
    }
}

#[gpu_kernel]
pub(super) fn group_sums(g: &Group, x: &[u32], mut sums: PerGroup<[u32]>, mut fixed: Workgroup<[u32; 256]>) {
    g.load(&mut fixed, x, g.index());
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    sums.set(g, g.reduce(&mine, |a, b| a.wrapping_add(b)));
}

#[gpu_kernel]
pub(super) fn fails(t: Thread, bad: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x != bad, "as bad as it gets");
        *x += 1;
    }
}

/// # Safety
/// `x` has an element at `index`.
#[gpu_kernel]
pub(super) unsafe fn poke(t: Thread, x: *mut u32, index: usize) {
    if t.index() == 0 {
        // SAFETY: `x` has an element at `index`, as this kernel asks; some tests launch it without.
        unsafe { *x.add(index) = 1 };
    }
}
