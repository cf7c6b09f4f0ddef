//! Runs of equal neighbours.

use crate::cpu::index::Index;
use crate::cpu::isa::run_in;
use crate::cpu::mask::{Ask, Masks};
use crate::cpu::output::Output;
use crate::cpu::select::Copy;
use crate::cpu::turn::{Carry, block_len, for_each_block};
use crate::cpu::{KernelArg, Read, Workers};

/// Copies the first of each run of equal neighbours to the front of `values`, their numbers to `lengths`, and gives the number of runs. What
/// there is no room for is left out, and counted.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn run_lengths<I: Read<Item: KernelArg>, L: Index>(
    workers: Workers,
    input: I,
    len: usize,
    same: impl Fn(&I::Item, &I::Item) -> bool + Sync,
    values: &mut [I::Item],
    lengths: &mut [L],
) -> usize {
    // SAFETY: within the input, and 0 isn't asked for.
    let begins = |i: usize| unsafe { !same(&input.get(i - 1), &input.get(i)) };
    let block = block_len(size_of::<I::Item>());
    let (values, room) = (Output::new(values), Output::new(lengths));
    let carry = Carry::new(Runs { count: 0, last: 0 });
    for_each_block(workers, len, block, |number| {
        let first = number * block;
        let count = block.min(len - first);
        let masks = Masks::new();
        // SAFETY: the workers' instruction set is this machine's, and the elements are below the length.
        let (runs, last) = carry.prepare(|| unsafe {
            let runs =
                run_in(workers.isa(), Ask { masks: &masks, first, count, keep: &begins, keeps_first: true });
            (runs, masks.last(count))
        });
        let next = |before: Runs| Runs {
            count: before.count + runs,
            last: last.map_or(before.last, |last| first + last),
        };
        // SAFETY: each block is run once.
        let Some(before) = (unsafe { carry.take(number, next) }) else { return };
        let end = before.count + runs;
        let copy =
            Copy { input, masks: &masks, invert: 0, first, count, to: values, start: before.count, end };
        // SAFETY: the instruction set is this machine's, and the block is within the input. Blocks write one behind the other, as many elements as their masks have, and the length of the run before each.
        unsafe {
            run_in(workers.isa(), copy);
            write_lengths(&masks, first, count, before, room);
        }
    });
    let Runs { count, last } = carry.into_inner();
    if let Some(length) = count.checked_sub(1).and_then(|run| lengths.get_mut(run)) {
        *length = L::from_usize(len - last);
    }
    count
}

/// The runs that began before a block.
#[derive(Clone, Copy)]
struct Runs {
    count: usize,
    /// Where the last began.
    last: usize,
}

/// Writes the lengths of the runs that end where the masks' elements begin.
///
/// # Safety
/// The masks are set for `count` elements. Nobody else writes these lengths.
unsafe fn write_lengths<L: Index>(
    masks: &Masks,
    first: usize,
    count: usize,
    before: Runs,
    to: Output<'_, L>,
) {
    let Runs { count: mut run, mut last } = before;
    let end_at = |begin: usize| {
        let begin = first + begin;
        if let Some(ended) = run.checked_sub(1)
            && ended < to.len()
        {
            // SAFETY: one of the lengths, as the caller says this block's.
            unsafe { to.set(ended, L::from_usize(begin - last)) };
        }
        (run, last) = (run + 1, begin);
    };
    // SAFETY: set, as the caller says.
    unsafe { masks.each(count, end_at) };
}
