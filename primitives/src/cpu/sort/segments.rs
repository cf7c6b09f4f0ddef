//! Sorts within segments: the long ones by all threads, one after the other, and the others by a thread each.

use std::ops::Range;

use super::items::Items;
use super::key::RadixKey;
use super::lsd::Counts;
use super::merge::{merge_sort, sort_block};
use super::order::Order;
use super::radix::{SHARED, sort_part, sort_shared};
use crate::cpu::Workers;
use crate::cpu::index::Index;
use crate::cpu::shared::Shared;

/// Tasks that a thread gets, so that one that is late doesn't delay the others.
const TASKS: usize = 8;

/// Fewer elements aren't worth a task.
const TASK: usize = 1 << 12;

/// A segment that begins after its end, or ends after the elements.
#[derive(Debug, PartialEq)]
pub(crate) struct SegmentOutside(pub(crate) usize);

/// Sorts each segment as [`radix_sort`](super::radix_sort) does. Segment `i` is from `offsets[i]` to `offsets[i + 1]`; what is in none stays.
///
/// # Errors
/// If the offsets don't ascend up to the number of elements. Nothing is sorted then.
///
/// # Panics
/// If the lengths differ.
#[expect(clippy::too_many_arguments, reason = "keys and values, each with a temporary place")]
pub(crate) fn sort_segments<K: RadixKey, V: Copy + Send + Sync>(
    workers: Workers,
    keys: &mut [K],
    values: &mut [V],
    keys_temp: &mut [K],
    values_temp: &mut [V],
    offsets: &[impl Index],
    bits: Range<u32>,
    descending: bool,
) -> Result<(), SegmentOutside> {
    let len = keys.len();
    assert!(values.len() == len && keys_temp.len() == len && values_temp.len() == len, "lengths differ");
    let order = Order::new(bits, descending);
    let places = [Items::new(keys, values), Items::new(keys_temp, values_temp)];
    // SAFETY: segments are parts of the items, and each is sorted once.
    let part = |segment: &Range<usize>| places.map(|place| unsafe { place.from(segment.start) });
    for_each_segment(
        workers,
        len,
        offsets,
        // SAFETY: segments are apart and within the items, as their offsets were looked at.
        |segment| unsafe { sort_shared(workers, part(&segment), segment.len(), 0, order) },
        Counts::default,
        // SAFETY: segments are apart and within the items, as their offsets were looked at.
        |segment, counts| unsafe { sort_part(part(&segment), segment.len(), 0, order, counts) },
    )
}

/// Sorts each segment as [`merge_sort`] does. Segment `i` is from `offsets[i]` to `offsets[i + 1]`; what is in none stays.
///
/// # Errors
/// If the offsets don't ascend up to the number of elements. Nothing is sorted then.
///
/// # Panics
/// If the lengths differ, and where the comparison does.
pub(crate) fn merge_sort_segments<T: Copy + Send + Sync>(
    workers: Workers,
    elements: &mut [T],
    temp: &mut [T],
    offsets: &[impl Index],
    is_less: impl Fn(&T, &T) -> bool + Sync,
) -> Result<(), SegmentOutside> {
    let len = elements.len();
    assert!(temp.len() == len, "lengths differ");
    let (elements, temp) = (Shared::new(elements), Shared::new(temp));
    // SAFETY: segments are parts of the elements, and each is sorted once.
    let part = |segment: Range<usize>| unsafe { (elements.part(segment.clone()), temp.part(segment)) };
    for_each_segment(
        workers,
        len,
        offsets,
        |segment| {
            let (elements, temp) = part(segment);
            merge_sort(workers, elements, temp, &is_less);
        },
        || (),
        |segment, ()| {
            let (elements, temp) = part(segment);
            sort_block(elements, temp, &is_less);
        },
    )
}

/// Calls `long` here with each long segment, and `short` with each other one on any thread, with a state of the task.
fn for_each_segment<S>(
    workers: Workers,
    len: usize,
    offsets: &[impl Index],
    mut long: impl FnMut(Range<usize>),
    state: impl Fn() -> S + Sync,
    short: impl Fn(Range<usize>, &mut S) + Sync,
) -> Result<(), SegmentOutside> {
    let threads = workers.threads();
    let most = if threads == 1 { len } else { (len / (threads * TASKS)).max(SHARED) };
    let segment = |i: usize| offsets[i].to_usize()..offsets[i + 1].to_usize();
    let segments = offsets.len().saturating_sub(1);
    // Few: each is one of at most so many parts of the elements.
    let mut longs = Vec::new();
    for i in 0..segments {
        let Range { start, end } = segment(i);
        if start > end || end > len {
            return Err(SegmentOutside(i));
        }
        if end - start > most {
            longs.push(start..end);
        }
    }
    longs.into_iter().for_each(&mut long);
    let tasks = (len / TASK).clamp(1, threads * TASKS);
    // The first segment that begins with or after a task's first element.
    let first =
        |task: usize| offsets[..segments].partition_point(|start| start.to_usize() < len / tasks * task);
    workers.run(tasks, |task| {
        let mut state = state();
        let end = if task + 1 == tasks { segments } else { first(task + 1) };
        for segment in (first(task)..end).map(segment).filter(|segment| segment.len() <= most) {
            if segment.len() > 1 {
                short(segment, &mut state);
            }
        }
    });
    Ok(())
}
