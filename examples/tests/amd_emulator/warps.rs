//! Kernels of code that each warp runs on its own, whose results don't depend on how many threads a warp has.

use gridwright::prelude::*;

/// The threads of a warp pass their values on through its memory, each to the one before it, until they have gone round
/// as often as the warp's number says; then through registers. The last warp of the group is a part of one.
#[gpu_kernel(block = 100)]
pub(crate) fn rounds(
    g: &Group,
    x: &[u32],
    mut y: PerThread<[[u32; 4]]>,
    mut w: Workgroup<[u32; 100]>,
    mut sums: Workgroup<[u32; 4]>,
) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    g.each_warp(
        (&mut mine, w.warp_chunks_mut(g.warp_size()), sums.warp_chunks_mut(1), &mut y),
        |w, (mut mine, mut part, mut sum, mut y)| {
            let len = w.len();
            for _ in 0..(w.index() + 1) * len {
                w.each((part.reborrow().elements_mut(), &mine), |_, (slot, mine)| *slot = *mine);
                w.each((part.reborrow().shared(), &mut mine), |t, (part, mine)| {
                    *mine = part[(t.lane() + 1) % len];
                });
            }
            let turned = w.map((), |t, ()| ((t.lane() + 1) % len) as u32);
            let (mut by_shuffles, mut turn) = (w.map(&*mine, |_, x| *x), 0);
            while turn < len {
                by_shuffles = w.shuffle(&by_shuffles, &turned);
                turn += 1;
            }
            let odd = w.map(&*mine, |_, x| x % 2 == 1);
            let count = u64::from(w.ballot(&odd).count_ones());
            let right = count == w.count(&odd) as u64 && w.any(&odd) == (count > 0);
            let before = w.scan_exclusive(&mine, 0, |a, b| a + b);
            w.set(&mut sum, 0, w.reduce(&mine, |a, b| a + b));
            let total = w.read(&sum, 0);
            let last = w.map((&before, &*mine), |_, (before, mine)| before + mine);
            let last = w.broadcast(&last, len - 1);
            w.each((&*mine, &by_shuffles, y.elements_mut()), |_, (mine, by_shuffles, y)| {
                if let Some(y) = y {
                    *y = [*mine, *by_shuffles, u32::from(right), u32::from(total == last)];
                }
            });
        },
    );
    let sum = (0..g.warps()).map(|warp| g.read(&sums, warp)).sum::<u32>();
    g.each(y.elements_mut(), |t, y| {
        if let (Some(y), 99) = (y, t.local().x) {
            y[3] = sum;
        }
    });
}
