//! The algorithms on the CPU, on slices, by the threads of the device.

mod bound;
mod read;
mod sort;

pub(crate) use bound::Bound;
pub(crate) use gridwright::launch::Workers;
pub(crate) use read::Read;
pub(crate) use sort::{sort_keys, sort_pairs};

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
