//! Reductions. The order of elements is kept, but by simple operators, which commute; how they are grouped depends on their number alone.

use std::ops::Range as Part;

use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::turn::{PARALLEL_BLOCKS, block_len};
use crate::cpu::{Combine, Read, Workers};

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
#[allow(clippy::needless_pass_by_value)] // as others take it
pub(crate) unsafe fn reduce<I: Read>(
    workers: Workers,
    input: I,
    len: usize,
    neutral: I::Item,
    op: impl Combine<I::Item>,
) -> I::Item {
    let Parts { part, parts } = Parts::of::<I::Item>(len);
    let op = &op;
    let both = |a, b| op.combine(a, b);
    let reduce_part = |i: usize| {
        let (first, end) = (i * part, len.min((i + 1) * part));
        // SAFETY: the workers' instruction set is this machine's, and the part is not empty and within the input.
        unsafe { reduce_part(workers, input, first..end, op) }
    };
    if parts == 0 {
        return neutral;
    }
    if parts == 1 || workers.threads() == 1 {
        return (1..parts).fold(reduce_part(0), |sum, i| both(sum, reduce_part(i)));
    }
    let mut results = vec![None; parts];
    let output = Output::new(&mut results);
    // SAFETY: each task writes the result of its own number.
    workers.run(parts, |i| unsafe { output.set(i, Some(reduce_part(i))) });
    results.into_iter().flatten().reduce(both).unwrap_or(neutral)
}

/// Reduces a part of the input.
///
/// # Safety
/// This machine has the workers' instruction set, and the part isn't empty and within the input.
unsafe fn reduce_part<I: Read, F: Combine<I::Item>>(
    workers: Workers,
    input: I,
    Part { start: first, end }: Part<usize>,
    op: &F,
) -> I::Item {
    // SAFETY: as the caller says.
    unsafe {
        match size_of::<I::Item>() {
            1..9 if F::is_simple() => run_in(workers.isa(), Lanes { input, first, end, op }),
            _ => run_in(workers.isa(), Range { input, first, end, op: &|a, b| op.combine(a, b) }),
        }
    }
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

/// Lanes in which simple operators combine elements: some vectors, whose operations don't wait for each other.
const LANES: usize = 64;

/// Neighbouring elements, at least one, within the input, which a simple operator combines lane by lane: in another order.
struct Lanes<'o, I, F> {
    input: I,
    first: usize,
    end: usize,
    op: &'o F,
}

impl<I: Read, F: Combine<I::Item>> Loop for Lanes<'_, I, F> {
    type Output = I::Item;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> I::Item {
        let Self { input, first, end, op } = self;
        // SAFETY: called below `end` alone, which is within the input.
        let element = |i: usize| unsafe { input.get(i) };
        let mut at = first;
        let mut sum = None;
        if end - at >= LANES {
            let mut sums: [I::Item; LANES] = std::array::from_fn(|lane| element(first + lane));
            at += LANES;
            while end - at >= LANES {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum = op.combine(*sum, element(at + lane));
                }
                at += LANES;
            }
            // The compiler isn't to see here that the lanes are combined: of integers it would do that in each turn of the loop.
            let mut sums = std::hint::black_box(sums);
            let mut width = LANES / 2;
            while width > 0 {
                for lane in 0..width {
                    sums[lane] = op.combine(sums[lane], sums[lane + width]);
                }
                width /= 2;
            }
            sum = Some(sums[0]);
        }
        for i in at..end {
            sum = Some(sum.map_or(element(i), |sum| op.combine(sum, element(i))));
        }
        // SAFETY: there is an element, as the loop's maker promises.
        unsafe { sum.unwrap_unchecked() }
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
