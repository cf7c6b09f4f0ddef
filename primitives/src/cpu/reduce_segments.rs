//! Reductions of segments. A segment that is longer than a block is reduced block by block, in order.

use crate::cpu::index::Index;
use crate::cpu::isa::{Loop, run_in};
use crate::cpu::map::fill;
use crate::cpu::output::Output;
use crate::cpu::reduce::Range;
use crate::cpu::segments::Offsets;
use crate::cpu::turn::{Carry, block_len, for_each_block};
use crate::cpu::{Read, Workers};

/// Writes each segment's reduction, `neutral` for one without elements.
///
/// # Safety
/// The input has as many elements as the last offset says, and `out` has a place for each segment.
pub(crate) unsafe fn reduce_segments<I: Read, X: Index>(
    workers: Workers,
    input: I,
    offsets: Offsets<'_, X>,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
    out: &mut [I::Item],
) where
    I::Item: Sync,
{
    fill(workers, out, neutral);
    let output = Output::new(out);
    let (first, last) = (offsets.first(), offsets.last());
    let block = block_len(size_of::<I::Item>());
    let carry = Carry::new(None);
    for_each_block(workers, last - first, block, |number| {
        let begin = first + number * block;
        let pieces = Pieces { input, offsets, output, begin, end: last.min(begin + block), op: &op };
        // SAFETY: the workers' instruction set is this machine's. The elements are within the input, and segments that begin and end in a
        // block are that block's.
        let Ends { front, behind } = carry.prepare(|| unsafe { run_in(workers.isa(), pieces) });
        let join = |before: Option<I::Item>, sum| Some(before.map_or(sum, |before| op(before, sum)));
        let next = |before| match (front, behind) {
            (_, Some(behind)) => Some(behind),
            (Some(Front { sum, ended: None }), None) => join(before, sum),
            _ => None,
        };
        // SAFETY: each block is run once.
        let before = unsafe { carry.take(number, next) };
        if let (Some(before), Some(Front { sum, ended: Some(segment) })) = (before, front) {
            // SAFETY: it ends in this block, whose task so writes it.
            unsafe { output.set(segment, before.map_or(sum, |before| op(before, sum))) };
        }
    });
}

/// What a block has of segments that don't begin and end in it.
struct Ends<T> {
    /// Of the one that began before it.
    front: Option<Front<T>>,
    /// Of the one that begins in it and ends behind it.
    behind: Option<T>,
}

/// What a block has of a segment that began before it.
#[derive(Clone, Copy)]
struct Front<T> {
    sum: T,
    /// The segment's number, if it ends in the block.
    ended: Option<usize>,
}

/// Reduces the segments of a block, at least one element.
struct Pieces<'s, I: Read, X, F> {
    input: I,
    offsets: Offsets<'s, X>,
    output: Output<'s, I::Item>,
    begin: usize,
    end: usize,
    op: &'s F,
}

impl<I: Read, X: Index, F: Fn(I::Item, I::Item) -> I::Item> Loop for Pieces<'_, I, X, F> {
    type Output = Ends<I::Item>;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> Ends<I::Item> {
        let Self { input, offsets, output, begin, end, op } = self;
        let mut ends = Ends { front: None, behind: None };
        let mut segment = offsets.of(begin);
        let mut at = begin;
        while at < end {
            let segment_end = offsets.end_of(segment);
            let piece_end = segment_end.min(end);
            if piece_end > at {
                // SAFETY: within the input, and not empty. The output has a place for each segment.
                unsafe {
                    let sum = Range { input, first: at, end: piece_end, op }.run::<ISA>();
                    let ended = segment_end <= end;
                    if offsets.begin_of(segment) < begin {
                        ends.front = Some(Front { sum, ended: ended.then_some(segment) });
                    } else if ended {
                        output.set(segment, sum);
                    } else {
                        ends.behind = Some(sum);
                    }
                }
                at = piece_end;
            }
            segment += 1;
        }
        ends
    }
}
