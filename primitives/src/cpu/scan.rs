//! Scans. A block is scanned tile by tile, a tile's parts side by side, each on its own; then what is before each part is put in front of its
//! elements. Several threads first reduce a block, which it is then scanned from the cache, when its turn comes.

use crate::cpu::chain::Chain;
use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::transpose::{Tile, read_tile, write_tile};
use crate::cpu::turn::{PARALLEL_BLOCKS, block_len};
use crate::cpu::{Read, Workers};

/// Writes to each place of `out` the reduction of all elements to there, that one included.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn inclusive_scan<I: Read>(
    workers: Workers,
    input: I,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) {
    // SAFETY: as the caller says.
    unsafe { scan::<false, _, _>(workers, input, Output::new(out), None, op) };
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
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) {
    // SAFETY: as the caller says.
    unsafe { scan::<true, _, _>(workers, input, Output::new(out), Some(init), op) };
}

/// # Safety
/// The input has as many elements as the output, and doesn't read that. An exclusive scan has an `init`.
unsafe fn scan<const EXCLUSIVE: bool, I: Read, F: Fn(I::Item, I::Item) -> I::Item + Sync>(
    workers: Workers,
    input: I,
    output: Output<'_, I::Item>,
    init: Option<I::Item>,
    op: F,
) {
    let len = output.len();
    let block_len = block_len(size_of::<I::Item>());
    let join = |before: Option<I::Item>, sum| Some(before.map_or(sum, |before| op(before, sum)));
    let block = |number: usize| {
        let first = number * block_len;
        Block { input, first, end: len.min(first + block_len), op: &op }
    };
    // SAFETY: the workers' instruction set is this machine's, and the elements are within the input. One task writes them to the output.
    let write = |number: usize, before: Option<I::Item>| unsafe {
        let block = block(number);
        let to = output.at(block.first);
        run_in(workers.isa(), Scan::<EXCLUSIVE, _, _> { block, before, to: Some(to) })
    };
    if workers.threads() == 1 || len.div_ceil(block_len) < PARALLEL_BLOCKS {
        // What comes before a block is the same as below: blocks have the same reductions.
        (0..len.div_ceil(block_len)).fold(init, |before, number| join(before, write(number, before)));
        return;
    }
    let chain = Chain::new(init, true);
    let reduce = |number: usize| {
        let reduce = Scan::<EXCLUSIVE, _, _> { block: block(number), before: None, to: None };
        // SAFETY: workers have an instruction set of this machine, and the block is within the input; nothing is written.
        unsafe { run_in(workers.isa(), reduce) }
    };
    workers.run(len.div_ceil(block_len), |number| {
        if let Some(before) = chain.before(number, reduce, &op) {
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
    to: Option<*mut I::Item>,
}

impl<const EXCLUSIVE: bool, I: Read, F> Loop for Scan<'_, EXCLUSIVE, I, F>
where
    F: Fn(I::Item, I::Item) -> I::Item,
{
    type Output = I::Item;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> I::Item {
        // SAFETY: as the loop's maker promises.
        unsafe {
            match size_of::<I::Item>() {
                0..8 => self.by_tiles::<ISA, 8, 16>(),
                8..64 => self.by_tiles::<ISA, 8, 8>(),
                _ => self.by_tiles::<ISA, 0, 1>(),
            }
        }
    }
}

impl<const EXCLUSIVE: bool, I: Read, F: Fn(I::Item, I::Item) -> I::Item> Scan<'_, EXCLUSIVE, I, F> {
    /// # Safety
    /// As for [`run`](Loop::run).
    #[inline(always)]
    unsafe fn by_tiles<const ISA: u8, const LANES: usize, const DEPTH: usize>(self) -> I::Item {
        // SAFETY: as the caller says.
        unsafe {
            match self.to {
                Some(to) => self.block.scan::<EXCLUSIVE, true, ISA, LANES, DEPTH>(self.before, to),
                None => self.block.scan::<EXCLUSIVE, false, ISA, LANES, DEPTH>(None, std::ptr::null_mut()),
            }
        }
    }
}

impl<I: Read, F: Fn(I::Item, I::Item) -> I::Item> Block<'_, I, F> {
    /// Reduces the block in tiles of so many parts, none where that is 0, and single elements: the first, and what is behind the tiles.
    ///
    /// # Safety
    /// This machine has `ISA`. The elements are within the input. Where `WRITE`, there is room for them, and something before the block
    /// where the scan is exclusive.
    #[inline(always)]
    unsafe fn scan<
        const EXCLUSIVE: bool,
        const WRITE: bool,
        const ISA: u8,
        const LANES: usize,
        const DEPTH: usize,
    >(
        self,
        before: Option<I::Item>,
        to: *mut I::Item,
    ) -> I::Item {
        let Self { input, first, end, op } = self;
        // SAFETY: within the input and the room.
        let single = |before: I::Item, i: usize| unsafe {
            let element = input.get(i);
            let next = if WRITE { op(before, element) } else { before };
            if WRITE {
                to.add(i - first).write(if EXCLUSIVE { before } else { next });
            }
            (next, element)
        };
        // SAFETY: there is an element.
        let mut sum = unsafe { input.get(first) };
        let mut before = match before {
            Some(before) => single(before, first).0,
            None => {
                if WRITE {
                    // SAFETY: there is room.
                    unsafe { to.write(sum) };
                }
                sum
            }
        };
        let mut at = first + 1;
        while LANES > 0 && end - at >= LANES * DEPTH {
            // SAFETY: as many elements follow, and as much room.
            unsafe {
                let mut tile = read_tile::<ISA, LANES, DEPTH, I>(input, at);
                for k in 1..DEPTH {
                    tile[k] = std::array::from_fn(|lane| op(tile[k - 1][lane], tile[k][lane]));
                }
                let parts = tile[DEPTH - 1];
                let mut total = parts[0];
                let mut before_parts = [before; LANES];
                for lane in 1..LANES {
                    if WRITE {
                        before_parts[lane] = op(before, total);
                    }
                    total = op(total, parts[lane]);
                }
                if WRITE {
                    let in_front =
                        |row: [I::Item; LANES]| std::array::from_fn(|lane| op(before_parts[lane], row[lane]));
                    let tile: Tile<I::Item, LANES, DEPTH> = std::array::from_fn(|k| match k {
                        0 if EXCLUSIVE => before_parts,
                        k => in_front(tile[if EXCLUSIVE { k - 1 } else { k }]),
                    });
                    write_tile::<ISA, LANES, DEPTH, I::Item>(&tile, to.add(at - first));
                    before = op(before, total);
                }
                sum = op(sum, total);
            }
            at += LANES * DEPTH;
        }
        for i in at..end {
            let (next, element) = single(before, i);
            (before, sum) = (next, op(sum, element));
        }
        sum
    }
}
