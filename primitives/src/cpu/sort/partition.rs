//! Items by their highest digit, with all threads.

use super::items::Items;
use super::key::{Bits, RadixKey};
use super::order::Order;
use crate::cpu::Workers;
use crate::cpu::shared::Shared;

/// Moves `len` items to `to`, stable, by `width` bits of their rank from `shift` up. Says where the items of each digit begin, and last the
/// end. The work is `chunks` tasks, which threads share where there are some.
///
/// # Safety
/// Both have `len` items, which nobody else reads or writes, and don't overlap.
pub(super) unsafe fn partition<K: RadixKey, V: Copy + Send + Sync>(
    workers: Option<Workers>,
    from: Items<K, V>,
    to: Items<K, V>,
    len: usize,
    order: Order<K::Bits>,
    (shift, width): (u32, u32),
    chunks: usize,
) -> Vec<usize> {
    let digits = 1 << width;
    let mut counts = vec![0; chunks * digits];
    let chunk = len.div_ceil(chunks);
    let range = |task: usize| (task * chunk).min(len)..((task + 1) * chunk).min(len);
    let run = |task: &(dyn Fn(usize) + Sync)| match workers {
        Some(workers) => workers.run(chunks, task),
        None => (0..chunks).for_each(task),
    };
    let rows = Shared::new(&mut counts);
    run(&|task: usize| {
        // SAFETY: the task's row and the items of its range, which nobody writes.
        let (counts, keys) = unsafe {
            (
                rows.part(task * digits..(task + 1) * digits),
                from.from(range(task).start).keys(range(task).len()),
            )
        };
        for &key in keys {
            // SAFETY: a digit is below `1 << width`.
            unsafe { *counts.get_unchecked_mut(order.rank(key).digit(shift, digits - 1)) += 1 };
        }
    });
    let mut starts = Vec::with_capacity(digits + 1);
    let mut next = 0;
    for digit in 0..digits {
        starts.push(next);
        for row in counts.chunks_exact_mut(digits) {
            (row[digit], next) = (next, next + row[digit]);
        }
    }
    starts.push(next);
    let rows = Shared::new(&mut counts);
    run(&|task: usize| {
        // SAFETY: the task's row, and the items of its range. As many of each digit as were counted have their places, which no other
        // task has.
        unsafe {
            let (next, len) = (rows.part(task * digits..(task + 1) * digits), range(task).len());
            let from = from.from(range(task).start);
            scatter(from, len, to, order, shift, next);
        }
    });
    starts
}

/// Moves the items to where those with their digit go.
///
/// # Safety
/// Both places have `len` items and don't overlap. `next` says where the next item of each digit goes, whose places nobody else reads or
/// writes.
unsafe fn scatter<K: RadixKey, V: Copy>(
    from: Items<K, V>,
    len: usize,
    to: Items<K, V>,
    order: Order<K::Bits>,
    shift: u32,
    next: &mut [usize],
) {
    let mask = next.len() - 1;
    for i in 0..len {
        // SAFETY: `i` is below `len`, a digit below the length of `next`, and the place is the digit's.
        unsafe {
            let key = from.key(i);
            let place = next.get_unchecked_mut(order.rank(key).digit(shift, mask));
            to.set(*place, key, from.value(i));
            *place += 1;
        }
    }
}
