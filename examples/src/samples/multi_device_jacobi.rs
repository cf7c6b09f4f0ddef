//! `simpleMultiGPU`'s task with `simpleP2P`'s means: Jacobi's iteration on a plate whose rows are shared out to several devices.
//!
//! Each device has its rows and, above and below them, a copy of the neighbour's nearest row: a halo. After each step the
//! new border rows are copied into the neighbours' halos, from device to device. Streams keep that in order by
//! themselves: a step waits for the halos that it reads, and a copy for the step that wrote what it takes. The host waits for
//! nothing before the end.
//!
//! The plate's edges are kept at zero, and it begins as one of the iteration's eigenvectors, sin(…)·sin(…): in exact
//! arithmetic each step multiplies that by its eigenvalue, which tells what each element must be in the end.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{
        Report,
        check::{self, Name},
        devices_of_a_kind, up_to,
    },
    anyhow::ensure,
    clap::Parser,
    std::f64::consts::PI,
    std::time::{Duration, Instant},
};

/// The mean of the four neighbours. Rows and columns at the edges stay as they are: they are the plate's edge, or halos.
#[gpu_kernel(requires = old.rows() == new.rows() && old.cols() == new.cols())]
pub fn jacobi_step(t: Thread, old: &Matrix<f32>, mut new: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    let at = |down: usize, right: usize| {
        old.get_or((row + down).wrapping_sub(1), (col + right).wrapping_sub(1), 0.0)
    };
    let is_inside = row > 0 && col > 0 && row + 1 < old.rows() && col + 1 < old.cols();
    if let Some(new) = new.get_mut(t) {
        let mean = 0.25 * ((at(0, 1) + at(2, 1)) + (at(1, 0) + at(1, 2)));
        *new = if is_inside { mean } else { at(1, 1) };
    }
}

/// Threads that look for a group's largest change, and elements that each of them looks at.
const BLOCK: usize = 256;
const TURNS: usize = 16;

/// The largest change of each group's elements in the last step. The rows that aren't in `old` and `new` are halos.
#[gpu_kernel(block = BLOCK, requires = old.len() == new.len())]
pub fn change(g: &Group, old: &[f32], new: &[f32], mut largest: PerGroup<[f32]>) {
    let first = g.index() * BLOCK * TURNS;
    let mine = g.map((), |t, ()| {
        let mut largest = 0.0_f32;
        for turn in 0..TURNS {
            let i = first + turn * BLOCK + t.local().x;
            if let (Some(old), Some(new)) = (old.get(i), new.get(i)) {
                largest = largest.max((new - old).abs());
            }
        }
        largest
    });
    largest.set(g, g.reduce(&mine, f32::max));
}

/// Iterates on several devices and on one, and compares the two and what mathematics says.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Rows of the plate, without its edges.
    #[arg(long, default_value_t = 1000, value_parser = up_to::<{ 1 << 15 }>)]
    rows: usize,
    /// Columns of the plate, without its edges.
    #[arg(long, default_value_t = 1000, value_parser = up_to::<{ 1 << 15 }>)]
    cols: usize,
    /// Steps.
    #[arg(long, default_value_t = 100, value_parser = up_to::<{ 1 << 20 }>)]
    steps: usize,
    /// Parts of the plate, dealt out to the devices in turn. By default one for each device, and two where there is one.
    #[arg(long, value_parser = up_to::<1024>)]
    parts: Option<usize>,
}

/// Half waves of the plate down and across.
#[host_only]
const WAVES: [usize; 2] = [3, 5];

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Options { rows, cols, steps, parts } = Options::parse();
    ensure!(rows > 0 && cols > 0 && steps > 0, "a plate has rows and columns, and the iteration has steps");
    let (devices, report) = (devices_of_a_kind()?, Report::new("checked"));
    let count = parts.unwrap_or(devices.len().max(2)).clamp(1, rows);
    devices.iter().try_for_each(|device| report.row("device", device.name()))?;

    let start = plate(rows, cols);
    let (split, time) = iterate(&devices, count, &start, cols, steps)?;
    let rate = (rows * cols * steps) as f64 / time.as_secs_f64() / 1e6;
    let parts = format_args!("{rows} x {cols} in {count} parts");
    report.row("split", format_args!("{parts}, {steps} steps in {time:.1?}, {rate:.1} M/s"))?;
    let (whole, time) = iterate(&devices[..1], 1, &start, cols, steps)?;
    report.row("whole", format_args!("{steps} steps in {time:.1?}"))?;
    check::equal(Name::in_rows_of(cols), &split.elements, &whole.elements)?;
    check::equal("the largest change", &[split.change], [whole.change])?;
    check_power(&start, rows, cols, steps, &whole)?;
    report.row("change", format_args!("{:.3e} in the last step", whole.change))?;
    report.row("checked", "every element, the whole's bit for bit, and the eigenvalue's power")
}

/// What an iteration ends with.
#[host_only]
struct Outcome {
    /// The plate without its edges.
    elements: Vec<f32>,
    /// The largest change of an element in the last step.
    change: f32,
}

/// Some rows of the plate on a device.
#[host_only]
struct Part {
    stream: Stream,
    step: Kernel<jacobi_step>,
    change: Kernel<change>,
    rows: usize,
    /// Each has a row above and below, and a column at each side.
    old: MatrixBuffer<f32>,
    new: MatrixBuffer<f32>,
}

#[host_only]
impl Part {
    /// With a plate's rows from one on.
    fn new(device: &Device, start: &[f32], cols: usize, first: usize, rows: usize) -> anyhow::Result<Self> {
        let stream = device.stream()?;
        let width = cols + 2;
        let elements = &start[first * width..(first + rows + 2) * width];
        Ok(Self {
            step: jacobi_step::load(device)?,
            change: change::load(device)?,
            rows,
            old: stream.upload_matrix(rows + 2, width, elements)?,
            new: stream.upload_matrix(rows + 2, width, elements)?,
            stream,
        })
    }

    /// After it, the new elements are in `old`.
    fn step(&mut self) -> anyhow::Result<()> {
        let size = LaunchConfig::for_matrix(self.old.rows(), self.old.cols());
        self.step.launch(&self.stream, size, (&self.old, &mut self.new))?;
        std::mem::swap(&mut self.old, &mut self.new);
        Ok(())
    }

    /// The largest changes of the last step.
    fn changes(&self) -> anyhow::Result<Vec<f32>> {
        let (new, old) = (self.old.slice_rows(1..=self.rows)?, self.new.slice_rows(1..=self.rows)?);
        let groups = new.len().div_ceil(BLOCK * TURNS);
        let mut largest = self.stream.alloc_zeroed(groups)?;
        self.change.launch(&self.stream, LaunchConfig::grid(groups, BLOCK), (old, new, &mut largest))?;
        Ok(self.stream.download(&largest)?)
    }
}

/// Iterates in parts, and gives also the time that this took without the copies from and to the host.
#[host_only]
fn iterate(
    devices: &[Device],
    count: usize,
    start: &[f32],
    cols: usize,
    steps: usize,
) -> anyhow::Result<(Outcome, Duration)> {
    let rows = start.len() / (cols + 2) - 2;
    let first = |part: usize| part * rows / count;
    let mut parts = (0..count)
        .map(|part| {
            let device = &devices[part % devices.len()];
            Part::new(device, start, cols, first(part), first(part + 1) - first(part))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;

    let begin = Instant::now();
    for _ in 0..steps {
        parts.iter_mut().try_for_each(Part::step)?;
        for upper in 1..count {
            let (above, below) = parts.split_at_mut(upper);
            let (above, below) = (&mut above[upper - 1], &mut below[0]);
            let last = above.rows;
            // A copy by the stream of who gives: the neighbour goes on meanwhile.
            above.stream.copy(&above.old.slice_rows(last..=last)?, &mut below.old.slice_rows_mut(0..=0)?)?;
            let halo = last + 1;
            below.stream.copy(&below.old.slice_rows(1..=1)?, &mut above.old.slice_rows_mut(halo..=halo)?)?;
        }
    }
    parts.iter().try_for_each(|part| part.stream.synchronize())?;
    let time = begin.elapsed();

    let mut outcome = Outcome { elements: Vec::with_capacity(rows * cols), change: 0.0 };
    for part in &parts {
        let elements = part.stream.download(&part.old.slice_rows(1..=part.rows)?)?;
        elements.chunks(cols + 2).for_each(|row| outcome.elements.extend_from_slice(&row[1..=cols]));
        // The largest of the largest: in whatever order they come.
        outcome.change = part.changes()?.into_iter().fold(outcome.change, f32::max);
    }
    Ok((outcome, time))
}

/// The plate at the start, with its edges.
#[host_only]
fn plate(rows: usize, cols: usize) -> Vec<f32> {
    let wave = |i: usize, n: usize, waves: usize| (PI * (waves * i) as f64 / (n + 1) as f64).sin();
    let at = |row: usize, col: usize| {
        let is_edge = row == 0 || col == 0 || row == rows + 1 || col == cols + 1;
        if is_edge { 0.0 } else { (wave(row, rows, WAVES[0]) * wave(col, cols, WAVES[1])) as f32 }
    };
    (0..rows + 2).flat_map(|row| (0..cols + 2).map(move |col| at(row, col))).collect()
}

/// A step multiplies the plate by the eigenvalue (cos(pπ/(rows + 1)) + cos(qπ/(cols + 1))) / 2 of p and q half waves. No
/// element is beyond ±1, and rounding adds less than 3 · 2⁻²⁴ in a step: its sums are up to 2, 2 and 4,
/// of which a quarter is taken. A mean of four makes errors of before no greater. The start's own rounding, of 2⁻²⁵, counts twice.
#[host_only]
fn check_power(
    start: &[f32],
    rows: usize,
    cols: usize,
    steps: usize,
    outcome: &Outcome,
) -> anyhow::Result<()> {
    let cosine = |waves: usize, n: usize| (PI * waves as f64 / (n + 1) as f64).cos();
    let eigenvalue = (cosine(WAVES[0], rows) + cosine(WAVES[1], cols)) / 2.0;
    let factor = eigenvalue.powi(i32::try_from(steps)?);
    let bound = (3 * steps + 2) as f64 / f64::from(1 << 24);
    let at_start = |i: usize| f64::from(start[(i / cols + 1) * (cols + 2) + i % cols + 1]);
    let expected = (0..rows * cols).map(|i| (factor * at_start(i), bound));
    check::close(Name::in_rows_of(cols), &outcome.elements, expected)?;
    Ok(())
}
