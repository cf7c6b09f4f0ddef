//! The best alignment of two sequences: a wavefront of tiles, as Rodinia's `needle` goes.
//!
//! An element of the table is the best of three before it: the one above and the one to the left, less a penalty for a gap, and the
//! one between them with the score of the two letters. So tiles on one diagonal need those of the diagonals before only, and each
//! diagonal is a launch that owns its tiles: what lies outside, it reads by `unowned`.
//!
//! In a tile a thread has a column, and the warp goes down row by row. A gap to the left may be of any length: an element is the best of
//! all before it in its row, less the gaps between, which is a scan. So no memory is shared, and rows are read and written as they
//! lie. Algorithm: S. Needleman, C. Wunsch, "A general method applicable to the search for similarities in the amino acid sequence of
//! two proteins", 1970; rows by scans are of A. Khajeh-Saeed et al., "Acceleration of the Smith-Waterman algorithm using single and
//! multiple graphics processors", 2010.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check::Name, up_to},
    clap::Parser,
};

/// Rows and columns of a tile.
pub const TILE: usize = 32;

/// The table's tiles on one diagonal. The first row and column, which are multiples of the gap's penalty, aren't in it.
#[gpu_kernel(block = TILE, requires = scores.rows() == table.rows() && scores.cols() == table.cols())]
pub fn align(
    g: &Group,
    gap: i32,
    scores: &Matrix<i32>,
    mut table: PerGroup<Matrix<i32>, PlacedTiles<TILE, TILE, Diagonal>>,
) {
    let [top, left] = table.origin();
    if top >= table.rows() || left >= table.cols() {
        return;
    }
    // Beyond the table is what its first row and column would be.
    let edge = |at: usize| -(at as i32) * gap;
    let before = |row: usize, col: usize| match (row, col) {
        (0, col) => edge(col),
        (row, 0) => edge(row),
        (row, col) => table.unowned(row - 1, col - 1).unwrap_or(0),
    };
    // Each thread's element above; what comes in from the left, by rows; and what is between the two.
    let mut above = g.map((), |t, ()| before(top, left + t.local().x + 1));
    let entering = g.map((), |t, ()| before(top + t.local().x + 1, left));
    let mut corner = g.private(before(top, left));

    let warp = g.tiled::<TILE>();
    for row in 0..TILE {
        let beside = warp.shuffle_up(&above, 1);
        let enters = warp.broadcast(&entering, row);
        // Without gaps to the left, and as if each went to the tile's first column.
        let items = (&above, &beside, &corner, &enters, scores.elements_of_row(top + row, left));
        let best = g.map(items, |t, (above, beside, corner, enters, score)| {
            let x = t.local().x;
            let corner = if x == 0 { *corner } else { *beside };
            let best = (corner + score.copied().unwrap_or(0)).max(above - gap);
            (if x == 0 { best.max(enters - gap) } else { best }) + x as i32 * gap
        });
        let best = warp.scan_inclusive(&best, i32::max);
        g.each((table.patches_mut::<TILE, 1>(), &mut above, &best), |t, (mut column, above, best)| {
            *above = best - t.local().x as i32 * gap;
            if let Some(element) = column.get_mut(row, 0) {
                *element = *above;
            }
        });
        corner = enters;
    }
}

/// Launches every diagonal of tiles of a table.
///
/// # Errors
/// Those of a launch.
#[host_only]
pub fn align_all(
    kernel: &Kernel<align>,
    stream: &Stream,
    gap: i32,
    scores: &MatrixBuffer<i32>,
    table: &mut MatrixBuffer<i32>,
) -> Result<(), gridwright::Error> {
    let (down, across) = (table.rows().div_ceil(TILE), table.cols().div_ceil(TILE));
    for diagonal in 0..(down + across).saturating_sub(1) {
        // From the diagonal's first row of tiles to its last.
        let (first, last) = ((diagonal + 1).saturating_sub(across), diagonal.min(down - 1));
        let groups = LaunchConfig::grid(last + 1 - first, TILE);
        kernel.launch(stream, groups, (gap, scores, table.tiles_on_diagonal(diagonal)))?;
    }
    Ok(())
}

/// The table of two sequences, naively.
#[host_only]
pub fn expected(rows: usize, cols: usize, gap: i32, scores: &[i32]) -> Vec<i32> {
    let mut table = vec![0; rows * cols];
    for row in 0..rows {
        for col in 0..cols {
            let at = |row: usize, col: usize, table: &[i32]| match (row, col) {
                (0, col) => -(col as i32) * gap,
                (row, 0) => -(row as i32) * gap,
                (row, col) => table[(row - 1) * cols + col - 1],
            };
            let corner = at(row, col, &table) + scores[row * cols + col];
            let gaps = at(row, col + 1, &table).max(at(row + 1, col, &table)) - gap;
            table[row * cols + col] = corner.max(gaps);
        }
    }
    table
}

/// Scores of the letters of two sequences that look random: those of equal letters are high.
#[host_only]
pub fn scores(rows: usize, cols: usize) -> Vec<i32> {
    let letter = |i: usize| i.wrapping_mul(2_654_435_761) >> 9 & 3;
    (0..rows * cols).map(|i| if letter(i / cols) == letter(i % cols + 12_345) { 5 } else { -4 }).collect()
}

/// Aligns two sequences and checks the table.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The letters of the one sequence.
    #[arg(long, default_value_t = 2048, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The letters of the other.
    #[arg(long, default_value_t = 2048, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// What a gap costs.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..1000))]
    gap: i32,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols, gap }, device, stream, report } = Sample::begin("table")?;
    let host_scores = scores(rows, cols);

    let on_device = stream.upload_matrix(rows, cols, &host_scores)?;
    let mut table = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = align::load(&device)?;
    let timing = Timing::of(&stream, || align_all(&kernel, &stream, gap, &on_device, &mut table))?;
    report.row("table", format_args!("{rows} by {cols}, {timing}"))?;

    let found = stream.download(&table)?;
    report.row("score", found.last().copied().unwrap_or(0))?;
    report.equal(Name::in_rows_of(cols), &found, expected(rows, cols, gap, &host_scores))
}
