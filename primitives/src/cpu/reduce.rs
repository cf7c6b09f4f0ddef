//! Reductions. The order of elements is kept, and how they are grouped depends on their number alone.

use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::turn::{PARALLEL_BLOCKS, block_len};
use crate::cpu::{Read, Workers};

/// Parts of a block that are reduced side by side: the latency of an operation is hidden behind the others'.
pub(crate) const STREAMS: usize = 8;

/// Elements of such a part. Not a power of two: the parts would share the lines of the first cache that they can be in.
const DEPTH: usize = 528;

/// The most parts that threads reduce, the results of which wait for each other.
const MOST_PARTS: usize = 512;

/// The elements' reduction, or `neutral` if there are none. By one or several threads, the result is the same.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn reduce<I: Read>(
    workers: Workers,
    input: I,
    len: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) -> I::Item {
    let Parts { part, parts } = Parts::of::<I::Item>(len);
    let reduce_part = |i: usize| {
        let range = Range { input, first: i * part, end: len.min((i + 1) * part), op: &op };
        // SAFETY: the workers' instruction set is this machine's, and the part is not empty and within the input.
        unsafe { run_in(workers.isa(), range) }
    };
    if parts == 0 {
        return neutral;
    }
    if parts == 1 || workers.threads() == 1 {
        return (1..parts).fold(reduce_part(0), |sum, i| op(sum, reduce_part(i)));
    }
    let mut results = vec![None; parts];
    let output = Output::new(&mut results);
    // SAFETY: each task writes the result of its own number.
    workers.run(parts, |i| unsafe { output.set(i, Some(reduce_part(i))) });
    results.into_iter().flatten().reduce(op).unwrap_or(neutral)
}

/// How elements are shared among threads, by their number alone.
struct Parts {
    /// Elements of each part but the last.
    part: usize,
    parts: usize,
}

impl Parts {
    fn of<T>(len: usize) -> Self {
        let least = PARALLEL_BLOCKS * block_len(size_of::<T>());
        let part = len.div_ceil(MOST_PARTS).next_multiple_of(STREAMS * DEPTH).max(least);
        Self { part, parts: len.div_ceil(part) }
    }
}

/// Neighbouring elements, at least one, within the input.
pub(crate) struct Range<'o, I, F> {
    pub(crate) input: I,
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) op: &'o F,
}

impl<I: Read, F: Fn(I::Item, I::Item) -> I::Item> Loop for Range<'_, I, F> {
    type Output = I::Item;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> I::Item {
        let Self { input, first, end, op } = self;
        let mut at = first;
        let mut sum = None;
        let join = |sum: Option<I::Item>, next| Some(sum.map_or(next, |sum| op(sum, next)));
        while end - at >= STREAMS * DEPTH {
            // SAFETY: as many elements follow.
            sum = join(sum, unsafe { block(input, at, DEPTH, op) });
            at += STREAMS * DEPTH;
        }
        let depth = (end - at) / STREAMS;
        if depth > 1 {
            // SAFETY: as many elements follow.
            sum = join(sum, unsafe { block(input, at, depth, op) });
            at += STREAMS * depth;
        }
        for i in at..end {
            // SAFETY: within the input.
            sum = join(sum, unsafe { input.get(i) });
        }
        // SAFETY: there is an element, as the loop's maker promises.
        unsafe { sum.unwrap_unchecked() }
    }
}

/// Reduces `STREAMS` times `depth` elements.
///
/// # Safety
/// They are within the input, and `depth` isn't 0.
#[inline(always)]
unsafe fn block<I: Read, F: Fn(I::Item, I::Item) -> I::Item>(
    input: I,
    first: usize,
    depth: usize,
    op: &F,
) -> I::Item {
    // SAFETY: within the input, as the caller says.
    let element = |stream: usize, i: usize| unsafe { input.get(first + stream * depth + i) };
    let mut sums: [I::Item; STREAMS] = std::array::from_fn(|stream| element(stream, 0));
    for i in 1..depth {
        for (stream, sum) in sums.iter_mut().enumerate() {
            *sum = op(*sum, element(stream, i));
        }
    }
    in_pairs(sums, op)
}

#[inline(always)]
pub(crate) fn in_pairs<T>([a, b, c, d, e, f, g, h]: [T; STREAMS], op: impl Fn(T, T) -> T) -> T {
    op(op(op(a, b), op(c, d)), op(op(e, f), op(g, h)))
}
