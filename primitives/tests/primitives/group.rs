//! The building blocks of groups, in kernels of this crate.

use gridwright::prelude::*;
use gridwright_primitives::group;

/// Threads of a group, items of a thread, and of a group.
const THREADS: usize = 64;
const ITEMS: usize = 5;
const TILE: usize = THREADS * ITEMS;

/// Sorts each tile by the lower half of its numbers, so that equal ones differ.
#[gpu_kernel(block = THREADS, requires = x.len() == y.len())]
fn sort_tiles(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut memory: Workgroup<[u32; TILE]>) {
    let first = g.index() * TILE;
    let striped = group::load_striped::<ITEMS, _, _>(g, x, first, u32::MAX);
    let mut items = group::striped_to_blocked(g, &striped, &mut memory.flat());
    group::sort(g, &mut items, |a, b| a & 0xffff < b & 0xffff, &mut memory.flat());
    let sorted = group::blocked_to_striped(g, &items, &mut memory.flat());
    // SAFETY: a group writes its own tile.
    let y = unsafe { y.anywhere() };
    group::store_striped(g, &sorted, y, first);
}

/// Sorts each tile by its lowest three bits, and counts them.
#[gpu_kernel(block = THREADS, requires = x.len() == y.len() && counts.len() == 8)]
fn rank_tiles(
    g: &Group,
    x: &[u32],
    mut y: PerThread<[u32]>,
    counts: Atomic<[u32]>,
    mut memory: Workgroup<[u32; TILE]>,
    mut bins: Workgroup<[u32; 8]>,
) {
    let first = g.index() * TILE;
    let items = group::load_blocked::<ITEMS, _, _>(g, x, first, 7);
    let digits = g.map(&items, |_, items| items.map(|x| x % 8));
    g.fill(&mut bins, 0);
    group::count(g, &digits, &mut bins.flat());
    g.each(bins.elements().take(8), |t, bin| {
        counts.fetch_add(t, t.local().x, *bin);
    });
    let places = group::rank::<8, ITEMS, _>(g, &digits);
    let sorted = group::exchange(g, &items, &places, &mut memory.flat());
    // SAFETY: a group writes its own tile.
    let y = unsafe { y.anywhere() };
    group::store_blocked(g, &sorted, y, first);
}

/// Scans each tile by a function that isn't commutative, and its sum.
#[gpu_kernel(block = THREADS, requires = x.len() == before.len() && x.len() == with.len())]
fn scan_tiles(
    g: &Group,
    x: &[[u32; 2]],
    mut before: PerThread<[[u32; 2]]>,
    mut with: PerThread<[[u32; 2]]>,
    mut sums: PerGroup<[u32]>,
) {
    let first = g.index() * TILE;
    let items = group::load_blocked::<ITEMS, _, _>(g, x, first, [1, 0]);
    let exclusive = group::scan_exclusive(g, &items, [1, 0], affine);
    let inclusive = group::scan_inclusive(g, &items, [1, 0], affine);
    let seconds = g.map(&items, |_, items| items.map(|[_, x]| x));
    sums.set(g, group::reduce(g, &seconds, u32::wrapping_add));
    // SAFETY: a group writes its own tile.
    let (before, with) = unsafe { (before.anywhere(), with.anywhere()) };
    group::store_blocked(g, &exclusive, before, first);
    group::store_blocked(g, &inclusive, with, first);
}

/// First the one function, then the other: x ↦ a x + b.
fn affine([a, b]: [u32; 2], [c, d]: [u32; 2]) -> [u32; 2] {
    [a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d)]
}

#[cfg(not(gridwright_device))]
mod tests {
    use gridwright::prelude::*;

    use super::{THREADS, TILE, affine, rank_tiles, scan_tiles, sort_tiles};
    use crate::devices;

    /// Whole tiles, less, and a part of one more.
    const LENGTHS: [usize; 3] = [TILE, 3, 3 * TILE + 17];

    fn random(len: usize) -> Vec<u32> {
        (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
    }

    fn config(len: usize) -> LaunchConfig {
        LaunchConfig::grid(len.div_ceil(TILE), THREADS)
    }

    #[test]
    fn tiles_are_sorted_and_equal_items_keep_their_order() {
        devices::each(|stream| {
            for len in LENGTHS {
                let x: Vec<u32> = random(len).iter().map(|x| x & 0x00ff_000f).collect();
                let (input, mut y) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(len).unwrap());
                let kernel = sort_tiles::load(stream.device()).unwrap();
                kernel.launch(stream, config(len), (&input, &mut y)).unwrap();
                let mut expected = x;
                expected.chunks_mut(TILE).for_each(|tile| tile.sort_by_key(|x| x & 0xffff));
                assert_eq!(stream.download(&y).unwrap(), expected);
            }
        });
    }

    #[test]
    fn ranks_are_those_of_a_stable_sort_and_counts_those_of_the_digits() {
        devices::each(|stream| {
            for len in LENGTHS {
                let x = random(len);
                let (input, mut y) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(len).unwrap());
                let mut counts = stream.alloc_zeroed(8).unwrap();
                let kernel = rank_tiles::load(stream.device()).unwrap();
                kernel.launch(stream, config(len), (&input, &mut y, &mut counts)).unwrap();
                let mut expected = x.clone();
                expected.chunks_mut(TILE).for_each(|tile| tile.sort_by_key(|x| x % 8));
                assert_eq!(stream.download(&y).unwrap(), expected);
                let mut of_digits = [0; 8];
                x.iter().for_each(|x| of_digits[(x % 8) as usize] += 1);
                // What isn't there counts as sevens.
                of_digits[7] += (len.next_multiple_of(TILE) - len) as u32;
                assert_eq!(stream.download(&counts).unwrap(), of_digits);
            }
        });
    }

    #[test]
    fn scans_keep_the_order_of_items() {
        devices::each(|stream| {
            for len in LENGTHS {
                let x: Vec<[u32; 2]> = random(len).iter().map(|x| [x | 1, x >> 3]).collect();
                let input = stream.upload(&x).unwrap();
                let mut before = stream.alloc_zeroed::<[u32; 2]>(len).unwrap();
                let mut with = stream.alloc_zeroed::<[u32; 2]>(len).unwrap();
                let mut sums = stream.alloc_zeroed(len.div_ceil(TILE)).unwrap();
                let kernel = scan_tiles::load(stream.device()).unwrap();
                kernel.launch(stream, config(len), (&input, &mut before, &mut with, &mut sums)).unwrap();
                let (mut exclusive, mut inclusive, mut totals) = (Vec::new(), Vec::new(), Vec::new());
                for tile in x.chunks(TILE) {
                    let mut so_far = [1, 0];
                    for item in tile {
                        exclusive.push(so_far);
                        so_far = affine(so_far, *item);
                        inclusive.push(so_far);
                    }
                    totals.push(tile.iter().fold(0, |sum: u32, [_, x]| sum.wrapping_add(*x)));
                }
                assert_eq!(stream.download(&before).unwrap(), exclusive);
                assert_eq!(stream.download(&with).unwrap(), inclusive);
                assert_eq!(stream.download(&sums).unwrap(), totals);
            }
        });
    }
}
