//! Reductions of runs of equal keys. As in a scan, each block is read from memory once.

use crate::cpu::isa::{Loop, run_in};
use crate::cpu::mask::{Ask, Masks};
use crate::cpu::output::Output;
use crate::cpu::reduce::Range;
use crate::cpu::select::Copy;
use crate::cpu::turn::{Carry, block_len, for_each_block};
use crate::cpu::{Firsts, KernelArg, Read, Seconds, Workers};

/// Copies the first key of each run of equal neighbours to the front of `keys`, the reductions of their values to `values`, and gives the
/// number of runs. What there is no room for is left out, and counted.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn reduce_by_key<K: KernelArg, V: KernelArg, I: Read<Item = (K, V)>>(
    workers: Workers,
    input: I,
    len: usize,
    same: impl Fn(&K, &K) -> bool + Sync,
    op: impl Fn(V, V) -> V + Sync,
    keys: &mut [K],
    values: &mut [V],
) -> usize {
    // SAFETY: within the input, and 0 isn't asked for.
    let begins = |i: usize| unsafe { !same(&input.get(i - 1).0, &input.get(i).0) };
    let block = block_len(size_of::<K>().max(size_of::<V>()));
    let (keys, room) = (Output::new(keys), Output::new(values));
    let carry = Carry::new(Runs { count: 0, total: None });
    for_each_block(workers, len, block, |number| {
        let first = number * block;
        let count = block.min(len - first);
        let masks = Masks::new();
        // SAFETY: the workers' instruction set is this machine's, and the elements are below the length; there is one, and one behind the
        // last beginning.
        let (runs, last, behind) = carry.prepare(|| unsafe {
            let ask = Ask { masks: &masks, first, count, keep: &begins, keeps_first: true };
            let runs = run_in(workers.isa(), ask);
            let last = masks.last(count);
            let from = first + last.unwrap_or(0);
            let behind = Range { input: Seconds(input), first: from, end: first + count, op: &op };
            (runs, last, run_in(workers.isa(), behind))
        });
        let next = |before: Runs<V>| Runs {
            count: before.count + runs,
            total: Some(match before.total {
                Some(total) if last.is_none() => op(total, behind),
                _ => behind,
            }),
        };
        // SAFETY: each block is run once.
        let Some(before) = (unsafe { carry.take(number, next) }) else { return };
        let (start, end) = (before.count, before.count + runs);
        let copy =
            Copy { input: Firsts(input), masks: &masks, invert: 0, first, count, to: keys, start, end };
        let totals = Totals { input: Seconds(input), masks: &masks, first, count, before, to: room, op: &op };
        // SAFETY: the instruction set is this machine's, and the block is within the input. Blocks write one behind the other, as many keys as their masks have, and the total of the run before each.
        unsafe {
            run_in(workers.isa(), copy);
            run_in(workers.isa(), totals);
        }
    });
    let Runs { count, total } = carry.into_inner();
    if let Some(total) = total
        && let Some(value) = count.checked_sub(1).and_then(|run| values.get_mut(run))
    {
        *value = total;
    }
    count
}

/// The runs that began before a block.
#[derive(Clone, Copy)]
struct Runs<V> {
    count: usize,
    /// What the last has before the block, if there is one.
    total: Option<V>,
}

/// Writes the totals of the runs that end where the masks' elements begin.
struct Totals<'m, I: Read, F> {
    input: I,
    masks: &'m Masks,
    first: usize,
    count: usize,
    before: Runs<I::Item>,
    to: Output<'m, I::Item>,
    op: &'m F,
}

impl<I: Read, F: Fn(I::Item, I::Item) -> I::Item> Loop for Totals<'_, I, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) {
        let Self { input, masks, first, count, before, to, op } = self;
        let Runs { count: mut run, mut total } = before;
        let mut begin = first;
        let end_at = |end: usize| {
            let end = first + end;
            if let Some(ended) = run.checked_sub(1)
                && ended < to.len()
            {
                // SAFETY: within the block, and not empty. The loop's maker says that the total is this block's.
                unsafe {
                    let sum = (end > begin).then(|| Range { input, first: begin, end, op }.run::<ISA>());
                    let sum = match (total, sum) {
                        (Some(total), Some(sum)) => Some(op(total, sum)),
                        (total, sum) => total.or(sum),
                    };
                    if let Some(sum) = sum {
                        to.set(ended, sum);
                    }
                }
            }
            (run, begin, total) = (run + 1, end, None);
        };
        // SAFETY: set for the whole block.
        unsafe { masks.each(count, end_at) };
    }
}
