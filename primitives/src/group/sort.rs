//! Sort of a group's items by comparison.

use gridwright::InPhase;
use gridwright::prelude::*;

use super::exchange::put;

/// Sorts a group's blocked items, equal ones in their order: each thread its own, and then runs of twice the length are merged until one is left,
/// each thread a part of equal length that a binary search finds. The memory has a slot for each item; the group is one row, of a power of two
/// threads. A comparison that isn't an order gives the items in any order, and some perhaps twice.
///
/// Source: O. Green, R. McColl, D. Bader, "GPU merge path: a GPU merging algorithm", 2012.
///
/// # Panics
/// If the memory has fewer slots than there are items, or the threads are no power of two.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn descending<'k, S: GroupShape>(g: &Group<'k, S>, items: &mut Private<'k, [f32; 4]>, w: &mut Workgroup<'_, [f32; 1024]>) {
///     group::sort(g, items, |a, b| b < a, &mut w.flat());
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockMergeSort`.
#[inline(always)]
pub fn sort<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &mut Private<'k, [T; N]>,
    is_less: impl Fn(&T, &T) -> bool + InPhase + Copy,
    memory: &mut gridwright::WorkgroupMut<'_, T>,
) {
    let threads = g.len();
    assert!(threads.is_power_of_two(), "a group sorts if its threads are a power of two");
    g.each(&mut *items, |_, items| insertion(items, is_less));
    let mut run = 1;
    while run < threads {
        put(g, items, memory);
        g.each((memory.reborrow().shared(), &mut *items), |t, (all, items)| {
            let thread = t.local().x;
            // The two runs that the thread's part is of, and where in them together it begins.
            let first = thread / (2 * run) * (2 * run) * N;
            let (a, b) = (&all[first..first + run * N], &all[first + run * N..first + 2 * run * N]);
            *items = merge(a, b, thread % (2 * run) * N, is_less);
        });
        run *= 2;
    }
}

/// Sorts one thread's items, by exchanges at places that are known, so that they stay in registers.
#[inline(always)]
fn insertion<const N: usize, T: Copy>(items: &mut [T; N], is_less: impl Fn(&T, &T) -> bool) {
    // Odd and even neighbours in turn: as many turns as items.
    for turn in 0..N {
        for low in (turn % 2..N.saturating_sub(1)).step_by(2) {
            if is_less(&items[low + 1], &items[low]) {
                items.swap(low, low + 1);
            }
        }
    }
}

/// `N` elements from `start` on of two sorted runs that are merged.
#[inline(always)]
fn merge<const N: usize, T: Copy>(
    a: &[T],
    b: &[T],
    start: usize,
    is_less: impl Fn(&T, &T) -> bool,
) -> [T; N] {
    // How many of the elements before `start` are of `a`.
    let (mut low, mut high) = (start.saturating_sub(b.len()), start.min(a.len()));
    while low < high {
        let middle = low.midpoint(high);
        if is_less(&b[start - 1 - middle], &a[middle]) { high = middle } else { low = middle + 1 }
    }
    let (mut i, mut j) = (low, start - low);
    core::array::from_fn(|_| {
        let takes_b = i >= a.len() || (j < b.len() && is_less(&b[j], &a[i]));
        if takes_b {
            j += 1;
            b[j - 1]
        } else {
            i += 1;
            a[i - 1]
        }
    })
}
