//! `Mandelbrot` of the CUDA samples: how soon z² + c runs away, for each point c of a part of the plane, as a picture.
//!
//! Threads iterate for different times. `each_while` is a plain loop on a GPU; on a CPU it is a loop over bundles of threads.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, up_to},
    clap::Parser,
    std::path::PathBuf,
};

/// The part of the plane: its left upper corner, and the distance of its pixels.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub struct View {
    /// The real part of the first column.
    pub left: f32,
    /// The imaginary part of the first row.
    pub top: f32,
    /// From one row or column to the next.
    pub step: f32,
}

/// Steps between two looks at where z is: it never comes back from beyond 2.
pub const STEPS: u32 = 4;

/// z² + c.
#[inline(always)]
pub fn next([x, y]: [f32; 2], [left, top]: [f32; 2]) -> [f32; 2] {
    [y.mul_add(-y, x.mul_add(x, left)), (2.0 * x).mul_add(y, top)]
}

/// Whether z may still come back to where it was.
#[inline(always)]
pub fn is_near([x, y]: [f32; 2]) -> bool {
    y.mul_add(y, x * x) <= 4.0
}

/// The point in a row and a column: c.
#[inline(always)]
fn point(view: View, row: usize, col: usize) -> [f32; 2] {
    // A number of 32 bits becomes a float in one instruction.
    let [row, col] = [row as u32 as f32, col as u32 as f32];
    [col.mul_add(view.step, view.left), row.mul_add(-view.step, view.top)]
}

/// The number of steps before |z| is above 2, at most `most`.
#[gpu_kernel(block = (32, 8))]
pub fn mandelbrot(g: &Group, view: View, most: u32, mut steps: PerThread<Matrix<u32>>) {
    // Numbers rather than pairs: on a CPU those of neighbours are one vector.
    let [mut x, mut y] = [g.private(0.0_f32), g.private(0.0_f32)];
    let mut turns = g.private(0_u32);
    g.each_while_up_to(most / STEPS, (&mut x, &mut y, &mut turns), |t, (x, y, turns)| {
        let c = point(view, t.row(), t.col());
        let mut z = [*x, *y];
        let mut was_near = false;
        for _ in 0..STEPS {
            was_near = is_near(z);
            z = next(z, c);
        }
        if was_near {
            [*x, *y] = z;
            *turns += 1;
        }
        was_near
    });
    // The last steps, one by one.
    g.each((&x, &y, &turns, steps.elements_mut()), |t, (x, y, turns, steps)| {
        if let Some(steps) = steps {
            let c = point(view, t.row(), t.col());
            let (mut z, mut more) = ([*x, *y], 0);
            for _ in 0..STEPS {
                more += u32::from(is_near(z));
                z = next(z, c);
            }
            let count = turns * STEPS;
            *steps = count + more.min(most - count);
        }
    });
}

/// Draws a part of the Mandelbrot set.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the picture.
    #[arg(long, default_value_t = 600, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the picture.
    #[arg(long, default_value_t = 800, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// The most steps of a point.
    #[arg(long, default_value_t = 512)]
    most: u32,
    /// The middle of the picture.
    #[arg(long, default_value_t = -0.7436, allow_negative_numbers = true)]
    x: f32,
    /// The middle of the picture.
    #[arg(long, default_value_t = 0.1318, allow_negative_numbers = true)]
    y: f32,
    /// The width of the picture.
    #[arg(long, default_value_t = 0.01)]
    width: f32,
    /// Where to write the picture, a PNG file.
    #[arg(short, long, default_value = "mandelbrot.png")]
    output: PathBuf,
}

/// The number of steps for one point before |z| is above 2, at most `most`, on the host.
#[host_only]
pub fn steps_of(view: View, most: u32, row: usize, col: usize) -> u32 {
    let c = point(view, row, col);
    let mut z = [0.0; 2];
    let is_far = |_: &u32| {
        let was_near = is_near(z);
        z = next(z, c);
        !was_near
    };
    (0..most).find(is_far).unwrap_or(most)
}

/// Bernstein polynomials: dark blue by way of white and orange to black.
#[host_only]
fn colour(steps: u32, most: u32) -> [u8; 3] {
    let t = (f64::from(steps) / f64::from(most)).sqrt();
    let u = 1.0 - t;
    let channels = [9.0 * u * t.powi(3), 15.0 * (u * t).powi(2), 8.5 * u.powi(3) * t];
    channels.map(|channel| (255.0 * channel) as u8)
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("mandelbrot")?;
    let Options { rows, cols, most, x, y, width, output } = options;
    let step = width / cols as f32;
    let view = View { left: x - width / 2.0, top: y + step * rows as f32 / 2.0, step };

    let mut steps = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = mandelbrot::load(&device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (view, most, &mut steps)))?;
    report.timed(format_args!("{cols} x {rows} pixels"), timing, "pixels", rows * cols)?;

    let steps = stream.download(&steps)?;
    // Each sum of a product is a `mul_add`, which all devices round once.
    report.equal("pixel", &steps, (0..rows * cols).map(|i| steps_of(view, most, i / cols, i % cols)))?;
    report.colours(&output, [rows, cols], steps.into_iter().map(|steps| colour(steps, most)))
}
