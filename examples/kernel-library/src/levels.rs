//! Kernels of each level, and an unsafe one.

use gridwright::prelude::*;

/// The others of an element's warp, and the group's first element, added up; by way of memory of the launch's size.
#[gpu_kernel(requires = w.len() == g.len() && x.len() == y.len())]
pub fn others_of_warp<T>(g: &Group, x: &[T], mut y: PerThread<[T]>, mut w: Workgroup<[T]>)
where
    T: KernelArg + core::ops::Add<Output = T> + core::ops::Sub<Output = T> + Default,
{
    let own = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or_default());
    g.each((&own, w.elements_mut()), |_, (own, w)| *w = *own);
    g.each_warp((&own, &mut y), |warp, (own, mut y)| {
        let total = warp.reduce(own, |a, b| a + b);
        warp.each((own, y.elements_mut()), |_, (own, y)| {
            if let Some(y) = y {
                *y = total - *own;
            }
        });
    });
    g.each((w.shared(), y.elements_mut()), |_, (first, y)| {
        if let Some(y) = y {
            *y = *y + first[0];
        }
    });
}

/// All elements, turned by one, as many times as it says: groups wait for each other.
#[gpu_kernel(block = 32)]
pub fn turn<T: KernelArg>(grid: &Grid, times: u32, mut x: GridMemory<[T]>, mut y: GridMemory<[T]>) {
    let len = x.len();
    let (mut x, mut y) = (x.reborrow(), y.reborrow());
    for _ in 0..times {
        grid.each((y.grid_stride_mut(), x.shared()), |_, (y, x)| {
            y.for_each(|i, y| *y = x[(i + 1) % len]);
        });
        core::mem::swap(&mut x, &mut y);
    }
}

/// Each thread has the element of its neighbour group in the cluster.
#[gpu_kernel]
pub fn neighbours<T: KernelArg>(cluster: &Cluster, mut x: PerThread<[T]>, mut m: ClusterMemory<[T]>) {
    let first = cluster.first_group();
    cluster.each_group((&mut x, &mut m), |g, (mut x, mut m)| {
        g.each((x.elements_mut(), m.elements_mut()), |_, (x, m)| {
            if let Some(x) = x {
                *m = *x;
            }
        });
    });
    cluster.each_group((&mut x, &m), |g, (mut x, parts)| {
        let next = parts.of((g.index() - first + 1) % parts.groups());
        g.each(x.elements_mut(), |t, x| {
            if let Some(x) = x {
                *x = next[t.local().x];
            }
        });
    });
}

/// Writes `value` wherever there is an element.
///
/// # Safety
/// `to` has `len` elements.
#[gpu_kernel]
pub unsafe fn fill<T: KernelArg>(t: Thread, value: T, len: usize, to: *mut T) {
    if t.index() < len {
        // SAFETY: the index is below the number of elements that the caller answers for.
        unsafe { to.add(t.index()).write(value) };
    }
}
