//! The temperature of a chip, from the power of its parts: a stencil over the chip, step after step.
//!
//! A step is there in two forms. In [`hotspot`] a thread has an element and reads its neighbours, which on GPUs are in the cache. In
//! [`hotspot_by_tiles`] a block is larger than the tile that it owns, as Rodinia's `hotspot` has it: each thread loads an element into
//! workgroup memory, and the inner ones have all their neighbours there. Source of the model and its constants: W. Huang et al.,
//! "HotSpot: a compact thermal modeling methodology for early-stage VLSI design", 2006, as Rodinia simplifies it.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{
        Sample, Timing,
        check::{self, Name},
        up_to,
    },
    clap::Parser,
};

/// The temperature around the chip, in degrees Celsius.
pub const AMBIENT: f32 = 80.0;

/// What a step takes over from where.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub struct Conduction {
    /// Of the power.
    pub heat: f32,
    /// Of the neighbours to the left and to the right.
    pub across: f32,
    /// Of those above and below.
    pub down: f32,
    /// Of what is around the chip.
    pub out: f32,
}

impl Conduction {
    /// That of a chip of so many elements, 16 by 16 mm and 0.5 mm thick.
    #[host_only]
    pub fn of_chip(rows: usize, cols: usize) -> Self {
        const THICKNESS: f32 = 0.0005;
        const SIDE: f32 = 0.016;
        const CONDUCTIVITY: f32 = 100.0; // of silicon, W/(m·K)
        const HEAT_PER_VOLUME: f32 = 1.75e6; // J/(m³·K)
        const MOST_POWER: f32 = 3.0e6;
        const PRECISION: f32 = 0.001;
        let (height, width) = (SIDE / rows as f32, SIDE / cols as f32);
        let capacity = 0.5 * HEAT_PER_VOLUME * THICKNESS * width * height;
        let across = width / (2.0 * CONDUCTIVITY * THICKNESS * height);
        let down = height / (2.0 * CONDUCTIVITY * THICKNESS * width);
        let out = THICKNESS / (CONDUCTIVITY * height * width);
        let time = PRECISION / (MOST_POWER / (0.5 * THICKNESS * HEAT_PER_VOLUME));
        let heat = time / capacity;
        Self { heat, across: heat / across, down: heat / down, out: heat / out }
    }

    /// An element's next temperature: its own, that of the neighbours to the left and the right, and of those above and below.
    #[inline]
    pub fn next(&self, own: f32, [left, right]: [f32; 2], [above, below]: [f32; 2], power: f32) -> f32 {
        own + self.heat * power
            + self.across * (left + right - 2.0 * own)
            + self.down * (above + below - 2.0 * own)
            + self.out * (AMBIENT - own)
    }
}

/// A step, a thread an element. Beyond the edge it is as warm as at it.
#[gpu_kernel(requires = old.rows() == new.rows() && old.cols() == new.cols() && power.rows() == new.rows() && power.cols() == new.cols())]
pub fn hotspot(
    t: Thread,
    by: Conduction,
    old: &Matrix<f32>,
    power: &Matrix<f32>,
    mut new: PerThread<Matrix<f32>>,
) {
    let (row, col) = (t.row(), t.col());
    if let Some(new) = new.get_mut(t) {
        let own = old[(row, col)];
        let across = [old.get_or(row, col.wrapping_sub(1), own), old.get_or(row, col + 1, own)];
        let down = [old.get_or(row.wrapping_sub(1), col, own), old.get_or(row + 1, col, own)];
        *new = by.next(own, across, down, power[(row, col)]);
    }
}

/// Rows and columns of a block.
pub const BLOCK: [usize; 2] = [16, 64];

/// A step, a thread an element of a tile and of a margin around it.
#[gpu_kernel(
    block = (BLOCK[1], BLOCK[0]),
    requires = old.rows() == new.rows() && old.cols() == new.cols() && power.rows() == new.rows() && power.cols() == new.cols()
)]
pub fn hotspot_by_tiles(
    g: &Group,
    by: Conduction,
    old: &Matrix<f32>,
    power: &Matrix<f32>,
    mut new: PerGroup<Matrix<f32>, Tiles<{ BLOCK[0] - 2 }, { BLOCK[1] - 2 }>>,
    mut tile: Workgroup<[[f32; BLOCK[1]]; BLOCK[0]]>,
) {
    let [top, left] = new.origin();
    let (rows, cols) = (old.rows(), old.cols());
    // One above and one to the left, as far as the chip goes.
    g.fill_with(&mut tile, |row, col| {
        let (row, col) = ((top + row).max(1) - 1, (left + col).max(1) - 1);
        old.get_or(row.min(rows - 1), col.min(cols - 1), AMBIENT)
    });
    g.each((new.inner_elements_mut(1), tile.shared()), |t, (new, tile)| {
        let (row, col) = (t.local().y, t.local().x);
        if let Some(new) = new {
            let across = [tile[row][col - 1], tile[row][col + 1]];
            let down = [tile[row - 1][col], tile[row + 1][col]];
            let power = power.get_or(top + row - 1, left + col - 1, 0.0);
            *new = by.next(tile[row][col], across, down, power);
        }
    });
}

/// A step, naively.
#[host_only]
pub fn expected(rows: usize, cols: usize, by: Conduction, old: &[f32], power: &[f32]) -> Vec<f32> {
    let at = |row: usize, col: usize| old[row.min(rows - 1) * cols + col.min(cols - 1)];
    (0..rows * cols)
        .map(|i| {
            let (row, col) = (i / cols, i % cols);
            let across = [at(row, col.max(1) - 1), at(row, col + 1)];
            let down = [at(row.max(1) - 1, col), at(row + 1, col)];
            by.next(old[i], across, down, power[i])
        })
        .collect()
}

/// The power of a chip with a few busy parts.
#[host_only]
pub fn power(rows: usize, cols: usize) -> Vec<f32> {
    (0..rows * cols)
        .map(|i| {
            let (row, col) = (8 * (i / cols) / rows, 8 * (i % cols) / cols);
            if (row * 5 + col * 3) % 7 == 0 { 0.004 } else { 0.0005 }
        })
        .collect()
}

/// Warms a chip and checks its temperatures; writes them as a picture.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The chip's rows.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 13 }>)]
    rows: usize,
    /// The chip's columns.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 13 }>)]
    cols: usize,
    /// Steps.
    #[arg(long, default_value_t = 200, value_parser = up_to::<{ 1 << 20 }>)]
    steps: usize,
    /// Where to write the picture.
    #[arg(long, default_value = "hotspot.png", value_name = "PATH")]
    picture: std::path::PathBuf,
}

/// The program.
///
/// # Errors
/// Those of the device, a result that is wrong, and a file that can't be written.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("threads")?;
    let Options { rows, cols, steps, picture } = options;
    let by = Conduction::of_chip(rows, cols);
    let (first, host_power) = (vec![AMBIENT; rows * cols], power(rows, cols));

    let power = stream.upload_matrix(rows, cols, &host_power)?;
    let mut temperatures =
        [stream.upload_matrix(rows, cols, &first)?, stream.upload_matrix(rows, cols, &first)?];
    let (by_threads, by_tiles) = (hotspot::load(&device)?, hotspot_by_tiles::load(&device)?);
    let all = LaunchConfig::for_matrix(rows, cols);
    let mut last = first;
    // One way and the other, in turns: what they make is compared with the naive loop now and then.
    for turn in 0..steps {
        let [old, new] = &mut temperatures;
        if turn % 2 == 0 {
            by_threads.launch(&stream, all, (by, &*old, &power, &mut *new))?;
        } else {
            by_tiles.launch(&stream, all, (by, &*old, &power, &mut *new))?;
        }
        if turn < 4 || turn + 1 == steps {
            let before = stream.download(&*old)?;
            last = stream.download(&*new)?;
            let expected = expected(rows, cols, by, &before, &host_power);
            // Products and sums may be rounded once or twice.
            let expected = expected.into_iter().map(|x| (x, 1e-5 * x));
            check::close(Name::in_rows_of(cols), &last, expected)?;
        }
        temperatures.swap(0, 1);
    }
    let [old, new] = &mut temperatures;
    let threads = Timing::of(&stream, || by_threads.launch(&stream, all, (by, &*old, &power, &mut *new)))?;
    let tiles = Timing::of(&stream, || by_tiles.launch(&stream, all, (by, &*old, &power, &mut *new)))?;

    let (low, high) = last.iter().fold((f32::MAX, f32::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    report.row("chip", format_args!("{rows} by {cols}, {low:.2} to {high:.2} °C after {steps} steps"))?;
    let bytes = 12 * rows * cols;
    report.row("threads", format_args!("{threads} a step, {}", threads.bytes_per_second(bytes)))?;
    report.row("tiles", format_args!("{tiles} a step, {}", tiles.bytes_per_second(bytes)))?;
    report.row("checked", "every element of five steps")?;
    let grays = last.iter().map(|x| 255.0 * (x - low) / (high - low).max(1e-6));
    report.grays(&picture, [rows, cols], grays)
}
