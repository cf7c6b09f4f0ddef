//! The algorithms on the CPU, on slices, by the threads of the device.

mod bound;
mod index;
mod read;
mod search;
mod shared;
mod sort;
#[cfg(test)]
mod testing;
mod top_k;

pub(crate) use bound::Bound;
pub(crate) use gridwright::launch::Workers;
pub(crate) use read::Read;
pub(crate) use search::{lower_bound, upper_bound};
pub(crate) use sort::Bits;
pub(crate) use sort::{merge_sort, radix_sort, radix_sort_keys, sort_segments};
pub(crate) use top_k::{Found, top_k};

/// Reduces.
pub(crate) unsafe fn reduce<I: Read>(
    _: &Workers,
    input: I,
    len: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item,
) -> I::Item {
    (0..len).fold(neutral, |total, i| op(total, unsafe { input.get(i) }))
}
pub(crate) unsafe fn collect<I: Read>(_: Workers, input: I, out: &mut [I::Item]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = unsafe { input.get(i) };
    }
}
pub(crate) unsafe fn scatter<I: Read, P: crate::source::Index>(
    _: Workers,
    input: I,
    places: &[P],
    out: &mut [I::Item],
) {
    for (i, place) in places.iter().enumerate() {
        out[place.index() as usize] = unsafe { input.get(i) };
    }
}
pub(crate) fn check_places<P: crate::source::Index>(places: &[P], end: usize, taken: &mut [u32]) -> [u64; 2] {
    taken.fill(0);
    let mut found = [u64::MAX; 2];
    for (at, place) in places.iter().enumerate() {
        let place = place.index();
        if place >= end as u64 {
            found[0] = found[0].min(at as u64);
            continue;
        }
        let (word, bit) = (&mut taken[place as usize / 32], 1 << (place % 32));
        if *word & bit != 0 {
            found[1] = found[1].min(place);
        }
        *word |= bit;
    }
    found
}
pub(crate) unsafe fn reduce_rows<I: Read>(
    _: Workers,
    input: I,
    cols: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item,
    out: &mut [I::Item],
) {
    for (row, out) in out.iter_mut().enumerate() {
        *out = (0..cols).fold(neutral, |total, col| op(total, unsafe { input.get(row * cols + col) }));
    }
}
pub(crate) unsafe fn reduce_cols<I: Read>(
    _: Workers,
    input: I,
    rows: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item,
    out: &mut [I::Item],
) {
    let cols = out.len();
    for (col, out) in out.iter_mut().enumerate() {
        *out = (0..rows).fold(neutral, |total, row| op(total, unsafe { input.get(row * cols + col) }));
    }
}
pub(crate) fn matrix_vector<T: Copy>(
    _: Workers,
    matrix: &[T],
    x: &[T],
    zero: T,
    multiply: impl Fn(T, T) -> T,
    add: impl Fn(T, T) -> T,
    y: &mut [T],
) {
    let cols = x.len();
    for (row, y) in y.iter_mut().enumerate() {
        *y =
            x.iter().enumerate().fold(zero, |sum, (col, b)| add(sum, multiply(matrix[row * cols + col], *b)));
    }
}

pub(crate) unsafe fn histogram_of_bins<I: Read<Item: crate::source::Index>>(
    _: Workers,
    input: I,
    len: usize,
    counts: &mut [u32],
) {
    for i in 0..len {
        let bin = crate::source::Index::index(unsafe { input.get(i) });
        if let Some(count) = counts.get_mut(bin as usize) {
            *count += 1;
        }
    }
}
