//! Scans that begin anew with each segment. As in a scan, each block is read from memory once.

use crate::cpu::index::Index;
use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::reduce::Range;
use crate::cpu::segments::{Heads, Keys, Segments};
use crate::cpu::turn::{Carry, block_len, for_each_block};
use crate::cpu::{Read, Workers};

/// Scans each run of elements whose neighbouring keys are the same: inclusively, or exclusively where there is an `init`.
///
/// # Safety
/// The input has as many elements as `out`, and there are as many keys.
pub(crate) unsafe fn scan_by_key<I: Read<Item: Sync>, K: Read>(
    workers: Workers,
    input: I,
    keys: K,
    same: impl Fn(&K::Item, &K::Item) -> bool + Sync,
    init: Option<I::Item>,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) {
    // SAFETY: as the caller says.
    unsafe { scan(workers, input, &Keys { keys, same }, init, out, op) };
}

/// Scans each segment, inclusively, or exclusively where there is an `init`. Segments begin at the first element and at each offset; of
/// offsets that don't ascend a copy is sorted.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn scan_segments<I: Read<Item: Sync>, X: Index>(
    workers: Workers,
    input: I,
    offsets: &[X],
    init: Option<I::Item>,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) {
    if offsets.is_sorted_by_key(|offset| offset.to_usize()) {
        // SAFETY: as the caller says.
        unsafe { scan(workers, input, &Heads(offsets), init, out, op) };
        return;
    }
    let mut sorted: Vec<usize> = offsets.iter().map(|offset| offset.to_usize()).collect();
    sorted.sort_unstable();
    // SAFETY: as the caller says.
    unsafe { scan(workers, input, &Heads(&sorted), init, out, op) };
}

/// Writes to each place the reduction of its segment's elements to there, that one included; where there is an `init`, of
/// that and the segment's elements before.
///
/// # Safety
/// The input has as many elements as `out`, and the segments are of as many.
unsafe fn scan<I: Read, S: Segments>(
    workers: Workers,
    input: I,
    segments: &S,
    init: Option<I::Item>,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) where
    I::Item: Sync,
{
    let output = Output::new(out);
    let block = block_len(size_of::<I::Item>());
    let carry = Carry::new(None);
    for_each_block(workers, output.len(), block, |number| {
        let begin = number * block;
        let end = output.len().min(begin + block);
        // SAFETY: the workers' instruction set is this machine's, and the elements are within the input.
        let (anew, sum) = carry.prepare(|| unsafe {
            let last = segments.begin(end - 1, begin);
            let range = Range { input, first: last.unwrap_or(begin), end, op: &op };
            let sum = run_in(workers.isa(), range);
            (last.is_some(), sum)
        });
        let next = |before: Option<I::Item>| {
            let before = if anew { init } else { before.or(init) };
            Some(before.map_or(sum, |before| op(before, sum)))
        };
        // SAFETY: each block is run once.
        let Some(before) = (unsafe { carry.take(number, next) }) else { return };
        // SAFETY: the block's first element is one of the input's.
        let begins = number == 0 || unsafe { segments.begin(begin, begin) }.is_some();
        let before = if begins { init } else { before };
        let pieces = Pieces { input, segments, init, output, begin, end, before, op: &op };
        // SAFETY: the instruction set is this machine's, and the block is within the input; only this block's task uses these elements of the output.
        unsafe { run_in(workers.isa(), pieces) };
    });
}

/// Scans the segments of a block.
struct Pieces<'s, I: Read, S, F> {
    input: I,
    segments: &'s S,
    init: Option<I::Item>,
    output: Output<'s, I::Item>,
    begin: usize,
    end: usize,
    before: Option<I::Item>,
    op: &'s F,
}

impl<I: Read, S: Segments, F: Fn(I::Item, I::Item) -> I::Item> Loop for Pieces<'_, I, S, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) {
        let Self { input, segments, init, output, begin, end, mut before, op } = self;
        let (mut at, mut cursor) = (begin, segments.cursor(begin));
        while at < end {
            // SAFETY: within input and output, as the loop's maker promises.
            unsafe {
                let piece_end = segments.end(&mut cursor, at, end);
                for i in at..piece_end {
                    let element = input.get(i);
                    let sum = before.map_or(element, |before| op(before, element));
                    // Where there is an `init`, there is something before each element.
                    output.set(i, if init.is_some() { before.unwrap_or(element) } else { sum });
                    before = Some(sum);
                }
                (at, before) = (piece_end, init);
            }
        }
    }
}
