use super::isa::in_isa;
use super::{Band, Chunk, Facts, Interior, Isa, Line, Raw, Rect, Strips, ThreadKernel, Views};
use gridwright_core::ParamList;

/// Threads of a band. What they read and write should still be in a core's cache when those at its sides come up.
const BAND: usize = 16 * 1024;

/// Runs the threads of `chunk.owned`: the interior with its facts, the strips around it without.
///
/// Of threads at the sides there are few in a row, and the next row's data lies far away: run by themselves, they wait for memory
/// at each row. So they run after the threads between them, in bands of some rows.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`], which is as [`run_threads`](super::run_threads) asks for
///   `chunk.owned`.
/// - This machine has `isa`, and the kernel code for it.
/// - `chunk.owned` isn't empty and is one row, or whole rows, of a launch of at most `K::BOUNDS.rank`
///   dimensions.
pub unsafe fn run_chunk<K: ThreadKernel>(isa: Isa, chunk: &mut Chunk<'_>, arguments: *const ()) {
    // SAFETY: the pointer is at the kernel's raw arguments, as this function asks, and they outlive the call.
    let arguments = unsafe { &*arguments.cast::<Raw<K>>() };
    let owned = chunk.owned.clone();
    let inner = <K::Params as ParamList>::Passing::interior(arguments, chunk, K::DIRECT).intersection(&owned);
    let mut run = |rect: Rect, run_rect: RunRect<K>| {
        if !rect.is_empty() {
            chunk.running = rect;
            // SAFETY: `arguments` and `isa` are as this function asks, and the rectangle is in `owned`; where it is run with facts,
            // it is in `inner`, or its columns are.
            unsafe { run_rect(isa, chunk, arguments) };
        }
    };
    if inner.is_empty() {
        return run(owned, run_rect::<K, NOTHING>);
    }
    let has_sides = inner.cols != owned.cols;
    let rows = if has_sides { (BAND / owned.cols.len()).max(1) } else { owned.rows.len() };
    for band in owned.bands(rows) {
        let Strips { above, left, right, below } = band.around(&inner);
        run(above, run_rect::<K, COLUMNS>);
        run(inner.intersection(&band), run_rect::<K, ALL>);
        run(left, run_rect::<K, NOTHING>);
        run(right, run_rect::<K, NOTHING>);
        run(below, run_rect::<K, COLUMNS>);
    }
}

type RunRect<K> = unsafe fn(Isa, &Chunk<'_>, &Raw<K>);

/// [`Facts`] as numbers, for const generics.
const NOTHING: u8 = Facts::None as u8;
const COLUMNS: u8 = Facts::Columns as u8;
const ALL: u8 = Facts::All as u8;

/// # Safety
/// As for `run_chunk`, and the threads of `chunk.running` have the facts.
unsafe fn run_rect<K: ThreadKernel, const FACTS: u8>(isa: Isa, chunk: &Chunk<'_>, arguments: &Raw<K>) {
    // SAFETY: the arguments are as `run_chunk` asks, the threads have the facts, and this machine has `isa`, of which `in_isa`
    // takes the code: this function asks for all three.
    unsafe { in_isa!(K, isa, run_isa::<K, ISA, FACTS>(chunk, arguments)) }
}

/// # Safety
/// As for `run_rect`, and this machine has the instruction set.
unsafe fn run_isa<K: ThreadKernel, const ISA: u8, const FACTS: u8>(chunk: &Chunk<'_>, arguments: &Raw<K>) {
    let rect: &Rect = &chunk.running;
    // SAFETY: this machine has `ISA`, the threads of `running` have the facts, and the arguments are as `run_threads` asks: this
    // function asks its caller for all three. A kernel of rank 1 has one row, and no strip above or below.
    unsafe {
        if const { K::BOUNDS.rank == 1 } {
            let line = Line::<ISA>::new(rect);
            match FACTS {
                ALL => K::run(Interior::<_, K, false>::new(line), chunk, arguments),
                _ => K::run(line, chunk, arguments),
            }
        } else {
            let band = Band::<ISA>::new(rect);
            match FACTS {
                ALL => K::run(Interior::<_, K, false>::new(band), chunk, arguments),
                COLUMNS => K::run(Interior::<_, K, true>::new(band), chunk, arguments),
                _ => K::run(band, chunk, arguments),
            }
        }
    }
}
