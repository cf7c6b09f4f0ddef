//! Sort by comparison with all threads: blocks, then merges of two and two.

#[expect(clippy::module_inception, reason = "it merges")]
mod merge;
mod path;
mod quicksort;
mod small;

use self::merge::merge;
use self::path::split;
pub(super) use self::quicksort::sort_block;
pub(super) use self::small::{SMALL, small_sort};
use crate::cpu::Workers;
use crate::cpu::shared::Shared;

/// Fewer elements are sorted by the thread that calls.
const SHARED: usize = 1 << 12;

/// Tasks that a thread gets, so that one that is late doesn't delay the others.
const TASKS: usize = 4;

/// Sorts by a comparison: stable. Overwrites what the temporary place has.
///
/// Where the comparison isn't an order the elements end in some order. Where it panics each element is one that there was.
///
/// # Panics
/// If the lengths differ, and where the comparison does.
pub(crate) fn merge_sort<T: Copy + Send + Sync>(
    workers: Workers,
    elements: &mut [T],
    temp: &mut [T],
    is_less: impl Fn(&T, &T) -> bool + Sync,
) {
    let len = elements.len();
    assert!(temp.len() == len, "lengths differ");
    if len < SHARED || workers.threads() == 1 {
        sort_block(elements, temp, &is_less);
        return;
    }
    if elements.is_sorted_by(|a, b| !is_less(b, a)) {
        return;
    }
    let blocks = (2 * workers.threads()).next_power_of_two().min(1 << (len / SHARED).ilog2());
    let block = len.div_ceil(blocks);
    let rounds = blocks.ilog2();
    let (elements, temp) = (Shared::new(elements), Shared::new(temp));
    workers.run(blocks, |task| {
        let range = (task * block).min(len)..((task + 1) * block).min(len);
        // SAFETY: the task's own range of both.
        let (block, other) = unsafe { (elements.part(range.clone()), temp.part(range)) };
        sort_block(block, other, &is_less);
        // Each round changes the place, and the last has to end here.
        if !rounds.is_multiple_of(2) {
            other.copy_from_slice(block);
        }
    });
    for round in 0..rounds {
        let (from, to) = if (rounds - round).is_multiple_of(2) { (elements, temp) } else { (temp, elements) };
        // SAFETY: nobody writes what is merged from.
        let from = unsafe { &*from.part(0..len) };
        merge_runs(workers, from, to, block << round, &is_less);
    }
}

/// Merges runs of a length, each second with the one before.
fn merge_runs<T: Copy + Send + Sync>(
    workers: Workers,
    from: &[T],
    to: Shared<'_, T>,
    run: usize,
    is_less: &(impl Fn(&T, &T) -> bool + Sync),
) {
    let len = from.len();
    let tasks = workers.threads() * TASKS;
    let end = |task: usize| len / tasks * task + (len % tasks) * task / tasks;
    // Where the pair of runs begins, its second run and the next pair.
    let pair = |place: usize| {
        let start = place / (2 * run) * (2 * run);
        [start, (start + run).min(len), (start + 2 * run).min(len)]
    };
    // How many elements of the first run come before the place at which a task begins.
    let firsts: Vec<usize> = (0..tasks)
        .map(|task| {
            let [start, middle, next] = pair(end(task));
            split(&from[start..middle], &from[middle..next], end(task) - start, is_less)
        })
        .collect();
    workers.run(tasks, |task| {
        let mut place = end(task);
        while place < end(task + 1) {
            let [start, middle, next] = pair(place);
            let stop = next.min(end(task + 1));
            let (a, b) = (&from[start..middle], &from[middle..next]);
            let first = if place == end(task) { firsts[task] } else { 0 };
            let last = if stop == next { a.len() } else { firsts[task + 1] };
            // The comparison may not be an order: the parts must be some, as long as their place together.
            let last = last.clamp(first, first + (stop - place));
            let seconds = place - start - first..stop - start - last;
            // SAFETY: the task's own range.
            let out = unsafe { to.part(place..stop) };
            match (a.get(first..last), b.get(seconds)) {
                (Some(a), Some(b)) => merge(a, b, out, is_less),
                _ => out.copy_from_slice(&from[place..stop]),
            }
            place = stop;
        }
    });
}
