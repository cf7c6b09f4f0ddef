//! Reductions of a matrix's rows and columns, and its product with a vector. Elements lie row by row.

use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::reduce::{Range, reduce};
use crate::cpu::turn::{PARALLEL_BLOCKS, block_len, for_each_block};
use crate::cpu::{Read, Workers};

/// Writes each row's reduction, `neutral` if there are no columns.
///
/// # Safety
/// The input has `columns` elements for each place of `out`.
pub(crate) unsafe fn reduce_rows<I: Read>(
    workers: Workers,
    input: I,
    columns: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
    out: &mut [I::Item],
) where
    I::Item: Sync,
{
    let block = block_len(size_of::<I::Item>());
    if columns >= 2 * PARALLEL_BLOCKS * block {
        for (row, place) in out.iter_mut().enumerate() {
            // SAFETY: the row is within the input.
            *place = unsafe { reduce(workers, From { input, first: row * columns }, columns, neutral, &op) };
        }
        return;
    }
    let output = Output::new(out);
    let rows = (block / columns.max(1)).max(1);
    for_each_block(workers, output.len(), rows, |number| {
        for row in number * rows..output.len().min((number + 1) * rows) {
            let range = Range { input, first: row * columns, end: (row + 1) * columns, op: &op };
            // SAFETY: the row is within the input and has elements. Each is one task's.
            unsafe { output.set(row, if columns == 0 { neutral } else { run_in(workers.isa(), range) }) };
        }
    });
}

/// An input from an element on.
#[derive(Clone, Copy)]
struct From<I> {
    input: I,
    first: usize,
}

// SAFETY: as many as the input has behind the first.
unsafe impl<I: Read> Read for From<I> {
    type Item = I::Item;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> I::Item {
        // SAFETY: the caller says that there are more.
        unsafe { self.input.get(self.first + i) }
    }
}

/// Columns that a task reduces: their sums stay in the first cache.
const STRIP: usize = 1024;

/// The most parts in which rows are shared among threads.
const MOST_PARTS: usize = 64;

/// Writes each column's reduction, `neutral` if there are no rows. Takes memory for at most [`MOST_PARTS`] rows, of as many values as there
/// are columns.
///
/// # Safety
/// The input has `rows` elements for each place of `out`.
pub(crate) unsafe fn reduce_columns<I: Read>(
    workers: Workers,
    input: I,
    rows: usize,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
    out: &mut [I::Item],
) {
    let columns = out.len();
    if rows == 0 || columns == 0 {
        out.fill(neutral);
        return;
    }
    let strips = columns.div_ceil(STRIP);
    let blocks = rows.saturating_mul(columns) / block_len(size_of::<I::Item>());
    let parts = (MOST_PARTS / strips).min(blocks).min(rows).max(1);
    let part_rows = rows.div_ceil(parts);
    let parts = rows.div_ceil(part_rows);
    // The first part's are where the results will be.
    let mut others = vec![neutral; (parts - 1) * columns];
    let (first, behind) = (Output::new(out), Output::new(&mut others));
    let task = |task: usize| {
        let (part, strip) = (task / strips, task % strips);
        let range = strip * STRIP..columns.min((strip + 1) * STRIP);
        // SAFETY: each task has a strip of a part's sums of its own, and the rows are within the input.
        unsafe {
            let sums = match part {
                0 => first.slice(range.clone()),
                part => behind.slice((part - 1) * columns + range.start..(part - 1) * columns + range.end),
            };
            let rows = part * part_rows..rows.min((part + 1) * part_rows);
            let strip = Strip { input, columns, first: range.start, rows, sums, op: &op };
            run_in(workers.isa(), strip);
        }
    };
    if blocks < PARALLEL_BLOCKS {
        (0..parts * strips).for_each(task);
    } else {
        workers.run(parts * strips, task);
    }
    for sums in others.chunks_exact(columns) {
        for (sum, &next) in out.iter_mut().zip(sums) {
            *sum = op(*sum, next);
        }
    }
}

/// Reduces some rows of neighbouring columns, at least one.
struct Strip<'s, I: Read, F> {
    input: I,
    columns: usize,
    first: usize,
    rows: std::ops::Range<usize>,
    sums: &'s mut [I::Item],
    op: &'s F,
}

impl<I: Read, F: Fn(I::Item, I::Item) -> I::Item> Loop for Strip<'_, I, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) {
        let Self { input, columns, first, rows, sums, op } = self;
        // SAFETY: within the input, as the loop's maker promises.
        let element = |row: usize, i: usize| unsafe { input.get(row * columns + first + i) };
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = element(rows.start, i);
        }
        for row in rows.start + 1..rows.end {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = op(*sum, element(row, i));
            }
        }
    }
}

/// Products that are added side by side.
const LANES: usize = 32;

/// Writes the product of a matrix and a vector: of each row the sum of products. Each is added up in an order that depends on the number of
/// columns alone.
///
/// # Safety
/// The matrix has as many elements as `out` has rows of the vector's length.
pub(crate) unsafe fn matrix_vector<M: Read<Item: Sync>>(
    workers: Workers,
    matrix: M,
    vector: &[M::Item],
    zero: M::Item,
    multiply: impl Fn(M::Item, M::Item) -> M::Item + Sync,
    add: impl Fn(M::Item, M::Item) -> M::Item + Sync,
    out: &mut [M::Item],
) {
    let output = Output::new(out);
    let rows = (block_len(size_of::<M::Item>()) / vector.len().max(1)).max(1);
    for_each_block(workers, output.len(), rows, |number| {
        for row in number * rows..output.len().min((number + 1) * rows) {
            let dot = Dot { matrix, first: row * vector.len(), vector, zero, multiply: &multiply, add: &add };
            // SAFETY: the workers' instruction set is this machine's. The row is within the matrix, and each is one task's.
            unsafe { output.set(row, run_in(workers.isa(), dot)) };
        }
    });
}

/// The sum of the products of a vector and a row.
struct Dot<'v, M: Read, P, A> {
    matrix: M,
    first: usize,
    vector: &'v [M::Item],
    zero: M::Item,
    multiply: &'v P,
    add: &'v A,
}

impl<M, T, P, A> Loop for Dot<'_, M, P, A>
where
    M: Read<Item = T>,
    T: Copy,
    P: Fn(T, T) -> T,
    A: Fn(T, T) -> T,
{
    type Output = T;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> T {
        let Self { matrix, first, vector, zero, multiply, add } = self;
        let mut sums = [zero; LANES];
        let chunks = vector.chunks_exact(LANES);
        let rest = chunks.remainder();
        let behind = vector.len() - rest.len();
        for (chunk, factors) in chunks.enumerate() {
            for lane in 0..LANES {
                // SAFETY: within the matrix, as the loop's maker promises.
                let element = unsafe { matrix.get(first + chunk * LANES + lane) };
                sums[lane] = add(sums[lane], multiply(element, factors[lane]));
            }
        }
        for (lane, &factor) in rest.iter().enumerate() {
            // SAFETY: the rest of the row is within the matrix too, as the loop's maker promises.
            let element = unsafe { matrix.get(first + behind + lane) };
            sums[lane] = add(sums[lane], multiply(element, factor));
        }
        let mut width = LANES;
        while width > 1 {
            width /= 2;
            for lane in 0..width {
                sums[lane] = add(sums[lane], sums[lane + width]);
            }
        }
        sums[0]
    }
}
