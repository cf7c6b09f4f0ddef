//! Some of the elements, in order: each block is read from memory once, asked, and when its turn comes, written from the cache.

use crate::cpu::compress::{compress, compress_exactly};
use crate::cpu::isa::{Loop, run_in};
use crate::cpu::mask::{Ask, Masks};
use crate::cpu::output::Output;
use crate::cpu::turn::{Carry, block_len, for_each_block};
use crate::cpu::{KernelArg, Read, Workers};

/// Copies the elements that `predicate` is true of, in order, to the front of `out`, and gives their number. What `out` has no room for is
/// left out, and counted.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn select<I: Read<Item: KernelArg>>(
    workers: Workers,
    input: I,
    len: usize,
    predicate: impl Fn(I::Item) -> bool + Sync,
    out: &mut [I::Item],
) -> usize {
    // SAFETY: within the input.
    let keep = |i| predicate(unsafe { input.get(i) });
    // SAFETY: as the caller says.
    unsafe { compact(workers, input, len, keep, false, Output::new(out), None) }
}

/// As [`select`], of elements whose flag is set.
///
/// # Safety
/// The input has `len` elements, and there are as many flags.
pub(crate) unsafe fn select_flagged<I: Read<Item: KernelArg>>(
    workers: Workers,
    input: I,
    flags: impl Read<Item = bool>,
    len: usize,
    out: &mut [I::Item],
) -> usize {
    // SAFETY: as many as there are elements.
    let keep = |i| unsafe { flags.get(i) };
    // SAFETY: as the caller says.
    unsafe { compact(workers, input, len, keep, false, Output::new(out), None) }
}

/// Copies the first of each run of equal neighbours to the front of `out`, and gives the number of runs. What `out` has no room for is left
/// out, and counted.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn unique<I: Read<Item: KernelArg>>(
    workers: Workers,
    input: I,
    len: usize,
    same: impl Fn(&I::Item, &I::Item) -> bool + Sync,
    out: &mut [I::Item],
) -> usize {
    // SAFETY: within the input.
    let begins = |i: usize| unsafe { !same(&input.get(i - 1), &input.get(i)) };
    // SAFETY: as the caller says, and 0 isn't asked for.
    unsafe { compact(workers, input, len, begins, true, Output::new(out), None) }
}

/// Copies the elements that `predicate` is true of to the front of `out`, the others behind them, both in order, and gives the number of
/// the first. `predicate` is asked twice; if it doesn't say the same, elements may be missing.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn partition<I: Read<Item: KernelArg>>(
    workers: Workers,
    input: I,
    predicate: impl Fn(I::Item) -> bool + Sync,
    out: &mut [I::Item],
) -> usize {
    let len = out.len();
    // SAFETY: within the input.
    let keep = |i| predicate(unsafe { input.get(i) });
    // SAFETY: no element is written, of as many as there are.
    let selected = unsafe { compact(workers, input, len, keep, false, Output::new(&mut []), None) };
    let (front, behind) = out.split_at_mut(selected.min(len));
    let (front, behind) = (Output::new(front), Output::new(behind));
    // SAFETY: as the caller says.
    unsafe { compact(workers, input, len, keep, false, front, Some(behind)) };
    selected
}

/// Copies the elements whose number `keep` is true of to `out`, the others to `others`, and gives the number of the first. Element 0 is kept
/// without being asked for where `keeps_first`.
///
/// # Safety
/// The input has `len` elements, and `keep` may be called with lower numbers.
unsafe fn compact<I: Read<Item: KernelArg>, F: Fn(usize) -> bool + Sync>(
    workers: Workers,
    input: I,
    len: usize,
    keep: F,
    keeps_first: bool,
    out: Output<'_, I::Item>,
    others: Option<Output<'_, I::Item>>,
) -> usize {
    let block = block_len(size_of::<I::Item>());
    let carry = Carry::new(0);
    for_each_block(workers, len, block, |number| {
        let first = number * block;
        let count = block.min(len - first);
        let masks = Masks::new();
        // SAFETY: the workers' instruction set is this machine's, and the elements are below the length.
        let kept = carry.prepare(|| unsafe {
            run_in(workers.isa(), Ask { masks: &masks, first, count, keep: &keep, keeps_first })
        });
        // SAFETY: each block is run once.
        let Some(before) = (unsafe { carry.take(number, |before| before + kept) }) else { return };
        let copy = |to: Output<'_, I::Item>, invert, start: usize, count_to| {
            let copy = Copy { input, masks: &masks, invert, first, count, to, start, end: start + count_to };
            // SAFETY: the instruction set is this machine's, and the block is within the input. Blocks write one behind the other, as many elements as their masks have.
            unsafe { run_in(workers.isa(), copy) };
        };
        if out.len() > before {
            copy(out, 0, before, kept);
        }
        if let Some(others) = others {
            copy(others, !0, first - before, count - kept);
        }
    });
    carry.into_inner()
}

/// Copies the elements that the masks of a block have, or have not where `invert` is all ones, to the output's elements from `start` to
/// `end`.
pub(crate) struct Copy<'m, I: Read> {
    pub(crate) input: I,
    pub(crate) masks: &'m Masks,
    pub(crate) invert: u64,
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) to: Output<'m, I::Item>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<I: Read<Item: KernelArg>> Loop for Copy<'_, I> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) {
        let Self { input, masks, invert, first, count, to, start, end } = self;
        let mut to_at = start;
        for at in (0..count).step_by(64) {
            // SAFETY: set for the whole block. Places to `end` are this block's.
            unsafe {
                let all = if count - at < 64 { u64::MAX >> (64 - (count - at)) } else { u64::MAX };
                let mask = (masks.get(at / 64) ^ invert) & all;
                let kept = mask.count_ones() as usize;
                if count - at >= 64 && to_at + 64 <= end.min(to.len()) {
                    compress::<ISA, _>(input, first + at, mask, to.at(to_at));
                } else if to_at + kept <= end.min(to.len()) {
                    compress_exactly(input, first + at, mask, to.at(to_at));
                } else {
                    let mut mask = mask;
                    for place in to_at..to.len() {
                        if mask == 0 {
                            break;
                        }
                        compress_exactly(input, first + at, mask & mask.wrapping_neg(), to.at(place));
                        mask &= mask - 1;
                    }
                }
                to_at += kept;
            }
        }
    }
}
