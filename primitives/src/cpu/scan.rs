//! Scans. A block is scanned row by row, each row on its own; then what is before a row is put in front of its elements. Several threads scan
//! the block whose turn it is, and meanwhile reduce those behind, which they then scan from the cache.

use std::ops::Range;

use crate::cpu::chain::Chain;
use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::past_caches::{Kept, fence, is_large};
use crate::cpu::rows::scan_row;
#[cfg(target_arch = "x86_64")]
use crate::cpu::rows::{Vectors, are_vectors};
use crate::cpu::turn::{PARALLEL_BLOCKS, block_len};
use crate::cpu::{Combine, Isa, Read, Workers};

/// Writes to each place of `out` the reduction of all elements to there, that one included.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn inclusive_scan<I: Read>(
    workers: Workers,
    input: I,
    out: &mut [I::Item],
    op: impl Combine<I::Item>,
) {
    // SAFETY: as the caller says.
    unsafe {
        let is_past = is_large::<I::Item>(out.len());
        scan::<false, _, _>(workers, input, Output::new(out), None, op, is_past);
    }
}

/// Writes to each place of `out` the reduction of `init` and all elements before it.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn exclusive_scan<I: Read>(
    workers: Workers,
    input: I,
    out: &mut [I::Item],
    init: I::Item,
    op: impl Combine<I::Item>,
) {
    // SAFETY: as the caller says.
    unsafe {
        let is_past = is_large::<I::Item>(out.len());
        scan::<true, _, _>(workers, input, Output::new(out), Some(init), op, is_past);
    }
}

/// Scans, and writes past the caches where `is_past`, which elements of more than 16 bytes aren't.
///
/// # Safety
/// The input has as many elements as the output, and doesn't read that. An exclusive scan has an `init`.
#[allow(clippy::needless_pass_by_value)] // as others take it
pub(super) unsafe fn scan<const EXCLUSIVE: bool, I: Read, F: Combine<I::Item>>(
    workers: Workers,
    input: I,
    output: Output<'_, I::Item>,
    init: Option<I::Item>,
    op: F,
    is_past: bool,
) {
    let len = output.len();
    let block_len = block_len(size_of::<I::Item>());
    // What isn't in vectors is slower in the widest: the compiler makes vectors of rows' halves.
    let isa = match workers.isa() {
        Isa::Avx512 if !F::is_simple() => Isa::Avx2,
        isa => isa,
    };
    let join = |before: Option<I::Item>, sum| Some(before.map_or(sum, |before| op.combine(before, sum)));
    let block = |number: usize| {
        let first = number * block_len;
        Block { input, first, end: len.min(first + block_len), op: &op }
    };
    // SAFETY: this machine has the workers' instruction set, and AVX2 if it has AVX-512, and the elements are within the input. One task writes them to the output.
    let write = |number: usize, before: Option<I::Item>| unsafe {
        let block = block(number);
        let to = output.at(block.first);
        run_in(isa, Scan::<EXCLUSIVE, _, _> { block, before, to: Some((to, is_past)) })
    };
    if workers.threads() == 1 || len.div_ceil(block_len) < PARALLEL_BLOCKS {
        // What comes before a block is the same as below: blocks have the same reductions.
        (0..len.div_ceil(block_len)).fold(init, |before, number| join(before, write(number, before)));
        return;
    }
    let chain = Chain::new(init, true);
    let reduce = |number: usize| {
        let reduce = Scan::<EXCLUSIVE, _, _> { block: block(number), before: None, to: None };
        // SAFETY: an instruction set of this machine, as above, and the block is within the input; nothing is written.
        unsafe { run_in(isa, reduce) }
    };
    let both = |a, b| op.combine(a, b);
    workers.run(len.div_ceil(block_len), |number| {
        if !chain.in_turn(number, |before| write(number, before), both)
            && let Some(before) = chain.before(number, reduce, both)
        {
            write(number, before);
        }
    });
}

/// Neighbouring elements of the input, at least one.
struct Block<'o, I, F> {
    input: I,
    first: usize,
    end: usize,
    op: &'o F,
}

/// Scans a block from what is before it, if that is given a place to, and gives its reduction, which doesn't depend on that.
struct Scan<'o, const EXCLUSIVE: bool, I: Read, F> {
    block: Block<'o, I, F>,
    /// An exclusive scan has it.
    before: Option<I::Item>,
    /// The place, and whether it is written past the caches.
    to: Option<(*mut I::Item, bool)>,
}

impl<const EXCLUSIVE: bool, I: Read, F: Combine<I::Item>> Loop for Scan<'_, EXCLUSIVE, I, F> {
    type Output = I::Item;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> I::Item {
        // SAFETY: as the loop's maker promises.
        unsafe {
            match size_of::<I::Item>() {
                0..5 => self.by_rows::<ISA, 16, 8>(),
                5..64 => self.by_rows::<ISA, 8, 4>(),
                _ => self.by_rows::<ISA, 1, 1>(),
            }
        }
    }
}

impl<const EXCLUSIVE: bool, I: Read, F: Combine<I::Item>> Scan<'_, EXCLUSIVE, I, F> {
    /// # Safety
    /// As for [`run`](Loop::run).
    #[inline(always)]
    unsafe fn by_rows<const ISA: u8, const LANES: usize, const HALF: usize>(self) -> I::Item {
        let Self { block, before, to } = self;
        // SAFETY: as the caller says. Nothing is written where there is no place.
        unsafe {
            match to {
                None => block.scan::<EXCLUSIVE, false, ISA, LANES, HALF>(None, std::ptr::null_mut()),
                Some((to, false)) => block.scan::<EXCLUSIVE, true, ISA, LANES, HALF>(before, to),
                Some((to, true)) => block.scan_past_caches::<EXCLUSIVE, ISA, LANES, HALF>(before, to),
            }
        }
    }
}

/// The reductions of what is before an element, and of the block's elements before it.
#[derive(Clone, Copy)]
struct Sums<T> {
    before: T,
    block: T,
}

impl<I: Read, F: Combine<I::Item>> Block<'_, I, F> {
    /// # Safety
    /// This machine has `ISA`. The elements are within the input. Where `WRITE`, there is room for them, and something before the block
    /// where the scan is exclusive.
    #[inline(always)]
    unsafe fn scan<
        const EXCLUSIVE: bool,
        const WRITE: bool,
        const ISA: u8,
        const LANES: usize,
        const HALF: usize,
    >(
        self,
        before: Option<I::Item>,
        to: *mut I::Item,
    ) -> I::Item {
        let Self { first, end, .. } = self;
        // SAFETY: as the caller says.
        unsafe {
            let (at, sums) = self.begin::<EXCLUSIVE, WRITE, LANES>(before, to);
            let to = if WRITE { to.add(at - first) } else { to };
            self.rows::<EXCLUSIVE, WRITE, ISA, LANES, HALF>(at, end, sums, to).block
        }
    }

    /// # Safety
    /// As for [`scan`](Self::scan).
    #[inline(always)]
    unsafe fn scan_past_caches<
        const EXCLUSIVE: bool,
        const ISA: u8,
        const LANES: usize,
        const HALF: usize,
    >(
        self,
        before: Option<I::Item>,
        to: *mut I::Item,
    ) -> I::Item {
        let Self { first, end, .. } = self;
        let mut kept = Kept::new();
        // SAFETY: as the caller says, and what is kept is written.
        unsafe {
            let (mut at, mut sums) = self.begin::<EXCLUSIVE, true, LANES>(before, to);
            while at < end {
                let until = end.min(at + Kept::len::<I::Item>());
                sums = self.rows::<EXCLUSIVE, true, ISA, LANES, HALF>(at, until, sums, kept.first());
                kept.write(to.add(at - first), until - at);
                at = until;
            }
            fence();
            sums.block
        }
    }

    /// Scans the first row, or element where there are fewer, before which there may be nothing. Says where it ends, too.
    ///
    /// # Safety
    /// As for [`scan`](Self::scan).
    #[inline(always)]
    unsafe fn begin<const EXCLUSIVE: bool, const WRITE: bool, const LANES: usize>(
        &self,
        before: Option<I::Item>,
        to: *mut I::Item,
    ) -> (usize, Sums<I::Item>) {
        // SAFETY: as the caller says.
        unsafe {
            if self.end - self.first >= LANES {
                (self.first + LANES, self.first_row::<EXCLUSIVE, WRITE, LANES>(before, to))
            } else {
                (self.first + 1, self.first_row::<EXCLUSIVE, WRITE, 1>(before, to))
            }
        }
    }

    /// # Safety
    /// As for [`scan`](Self::scan).
    #[inline(always)]
    unsafe fn first_row<const EXCLUSIVE: bool, const WRITE: bool, const LANES: usize>(
        &self,
        before: Option<I::Item>,
        to: *mut I::Item,
    ) -> Sums<I::Item> {
        // SAFETY: as the caller says.
        unsafe {
            let row = self.scanned_row::<LANES>(self.first);
            let block = row[LANES - 1];
            let before = match before {
                Some(before) if WRITE => self.put::<EXCLUSIVE, LANES>(before, row, to),
                _ if WRITE => {
                    to.cast::<[I::Item; LANES]>().write(row);
                    block
                }
                _ => block,
            };
            Sums { before, block }
        }
    }

    /// # Safety
    /// The input has the row's elements.
    #[inline(always)]
    unsafe fn scanned_row<const LANES: usize>(&self, at: usize) -> [I::Item; LANES] {
        // SAFETY: as the caller says.
        let row = std::array::from_fn(|lane| unsafe { self.input.get(at + lane) });
        scan_row(row, |a, b| self.op.combine(a, b))
    }

    /// Writes a scanned row behind what is before it, and gives what is before the next.
    ///
    /// # Safety
    /// There is room for it.
    #[inline(always)]
    unsafe fn put<const EXCLUSIVE: bool, const LANES: usize>(
        &self,
        before: I::Item,
        row: [I::Item; LANES],
        to: *mut I::Item,
    ) -> I::Item {
        let mut out = row;
        let mut up_to = before;
        for lane in 0..LANES {
            let next = self.op.combine(before, row[lane]);
            out[lane] = if EXCLUSIVE { up_to } else { next };
            up_to = next;
        }
        // SAFETY: as the caller says.
        unsafe { to.cast::<[I::Item; LANES]>().write(out) };
        up_to
    }

    /// Scans elements of the block that aren't its first: in vectors where they are of the instruction set, and what is behind the rows
    /// element by element.
    ///
    /// # Safety
    /// As for [`scan`](Self::scan).
    #[inline(always)]
    unsafe fn rows<
        const EXCLUSIVE: bool,
        const WRITE: bool,
        const ISA: u8,
        const LANES: usize,
        const HALF: usize,
    >(
        &self,
        first: usize,
        end: usize,
        mut sums: Sums<I::Item>,
        to: *mut I::Item,
    ) -> Sums<I::Item> {
        let rows_end = first + (end - first) / LANES * LANES;
        // SAFETY: within the input and the room, as the caller says.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            let in_vectors = F::is_simple() && are_vectors::<I::Item, HALF>(ISA);
            #[cfg(not(target_arch = "x86_64"))]
            let in_vectors = false;
            if in_vectors {
                #[cfg(target_arch = "x86_64")]
                {
                    sums = self.vectors::<EXCLUSIVE, WRITE, HALF>(first..rows_end, sums, to);
                }
            } else {
                sums = self.row_by_row::<EXCLUSIVE, WRITE, LANES>(first..rows_end, sums, to);
            }
            let to = if WRITE { to.add(rows_end - first) } else { to };
            self.row_by_row::<EXCLUSIVE, WRITE, 1>(rows_end..end, sums, to)
        }
    }

    /// # Safety
    /// As for [`scan`](Self::scan).
    #[inline(always)]
    unsafe fn row_by_row<const EXCLUSIVE: bool, const WRITE: bool, const LANES: usize>(
        &self,
        elements: Range<usize>,
        Sums { mut before, mut block }: Sums<I::Item>,
        to: *mut I::Item,
    ) -> Sums<I::Item> {
        let mut at = elements.start;
        while at < elements.end {
            // SAFETY: as the caller says.
            unsafe {
                let row = self.scanned_row::<LANES>(at);
                if WRITE {
                    before = self.put::<EXCLUSIVE, LANES>(before, row, to.add(at - elements.start));
                }
                block = self.op.combine(block, row[LANES - 1]);
            }
            at += LANES;
        }
        Sums { before, block }
    }

    /// # Safety
    /// As for [`scan`](Self::scan); vectors are those of this machine.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vectors<const EXCLUSIVE: bool, const WRITE: bool, const HALF: usize>(
        &self,
        elements: Range<usize>,
        sums: Sums<I::Item>,
        to: *mut I::Item,
    ) -> Sums<I::Item> {
        let vectors = Vectors::<HALF>::new();
        let both = |a: [I::Item; HALF], b: [I::Item; HALF]| {
            std::array::from_fn(|lane| self.op.combine(a[lane], b[lane]))
        };
        let (mut befores, mut blocks) = ([sums.before; HALF], [sums.block; HALF]);
        let mut at = elements.start;
        while at < elements.end {
            // SAFETY: within the input and the room, and vectors of this machine, as the caller says.
            unsafe {
                let vector = |first| std::array::from_fn(|lane| self.input.get(first + lane));
                let row = vectors.scan([vector(at), vector(at + HALF)], |a, b| self.op.combine(a, b));
                let totals = vectors.last_of(row[1]);
                if WRITE {
                    let up_to = [both(befores, row[0]), both(befores, row[1])];
                    let out = if EXCLUSIVE { vectors.shifted(up_to, befores) } else { up_to };
                    to.add(at - elements.start).cast::<[[I::Item; HALF]; 2]>().write(out);
                    befores = both(befores, totals);
                }
                blocks = both(blocks, totals);
            }
            at += 2 * HALF;
        }
        Sums { before: befores[0], block: blocks[0] }
    }
}
