//! `dct8x8` of the CUDA samples: the discrete cosine transform of each 8×8 block of an image, quantised as JPEG does it, and
//! back. A workgroup transforms several blocks in its own memory, first along their columns, then along their rows.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::Context,
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
    std::f64::consts::PI,
    std::path::PathBuf,
};

/// Rows and columns of a block.
const N: usize = 8;
/// Columns and rows of a workgroup: eight blocks.
const COLS: usize = 32;
const ROWS: usize = 16;

/// JPEG's table for brightness at quality 50. Source: ITU-T T.81, Annex K, Table K.1.
const QUANTA: [[f32; N]; N] = [
    [16.0, 11.0, 10.0, 16.0, 24.0, 40.0, 51.0, 61.0],
    [12.0, 12.0, 14.0, 19.0, 26.0, 58.0, 60.0, 55.0],
    [14.0, 13.0, 16.0, 24.0, 40.0, 57.0, 69.0, 56.0],
    [14.0, 17.0, 22.0, 29.0, 51.0, 87.0, 80.0, 62.0],
    [18.0, 22.0, 37.0, 56.0, 68.0, 109.0, 103.0, 77.0],
    [24.0, 35.0, 55.0, 64.0, 81.0, 104.0, 113.0, 92.0],
    [49.0, 64.0, 78.0, 87.0, 103.0, 121.0, 120.0, 101.0],
    [72.0, 92.0, 95.0, 98.0, 112.0, 100.0, 103.0, 99.0],
];

/// cos(kπ/16)/2, but for the first, which is that of k = 4: all that the matrix consists of.
const COSINES: [f32; N + 1] = [
    0.353_553_4,
    0.490_392_63,
    0.461_939_78,
    0.415_734_8,
    0.353_553_4,
    0.277_785_12,
    0.191_341_72,
    0.097_545_16,
    0.0,
];

/// The matrix of the transform, or transposed, which is its inverse. Source: ITU-T T.81, A.3.3.
const fn matrix(is_transposed: bool) -> [[f32; N]; N] {
    let mut matrix = [[0.0; N]; N];
    let mut i = 0;
    while i < N * N {
        let (u, x) = (i / N, i % N);
        let angle = (2 * x + 1) * u % 32;
        let angle = if angle > 16 { 32 - angle } else { angle };
        let cosine = if angle > N { -COSINES[16 - angle] } else { COSINES[angle] };
        let (row, col) = if is_transposed { (x, u) } else { (u, x) };
        matrix[row][col] = cosine;
        i += 1;
    }
    matrix
}

const MATRIX: [[f32; N]; N] = matrix(false);
const TRANSPOSED: [[f32; N]; N] = matrix(true);

/// The transform: the matrix times the block times the matrix transposed, then to the nearest multiple of its quantum.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == coefficients.rows() && image.cols() == coefficients.cols())]
pub(crate) fn transform(
    g: &Group,
    image: &Matrix<f32>,
    mut coefficients: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; COLS]; ROWS]>,
) {
    g.load_tile(&mut tile, image, g.origin().y, g.origin().x);
    let mut mine = g.map(tile.shared(), |t, tile| column(&MATRIX, tile, t.local().y, t.local().x));
    g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
    g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
        *mine = row(&MATRIX, tile, t.local().y, t.local().x);
    });
    g.each((&mine, coefficients.elements_mut()), |t, (mine, coefficient)| {
        if let Some(coefficient) = coefficient {
            let quantum = QUANTA[t.local().y % N][t.local().x % N];
            *coefficient = (*mine / quantum).round_ties_even() * quantum;
        }
    });
}

/// Back: the same with the transposed matrix, which is the inverse.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == coefficients.rows() && image.cols() == coefficients.cols())]
pub(crate) fn inverse(
    g: &Group,
    coefficients: &Matrix<f32>,
    mut image: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; COLS]; ROWS]>,
) {
    g.load_tile(&mut tile, coefficients, g.origin().y, g.origin().x);
    let mut mine = g.map(tile.shared(), |t, tile| column(&TRANSPOSED, tile, t.local().y, t.local().x));
    g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
    g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
        *mine = row(&TRANSPOSED, tile, t.local().y, t.local().x);
    });
    g.each((&mine, image.elements_mut()), |_, (mine, pixel)| {
        if let Some(pixel) = pixel {
            *pixel = *mine;
        }
    });
}

/// A row of the matrix times the column of a block.
#[inline(always)]
fn column(matrix: &[[f32; N]; N], tile: &[[f32; COLS]; ROWS], y: usize, x: usize) -> f32 {
    let first = y / N * N;
    (0..N).fold(0.0, |sum, i| matrix[y % N][i].mul_add(tile[first + i][x], sum))
}

/// The row of a block times a column of the matrix transposed.
#[inline(always)]
fn row(matrix: &[[f32; N]; N], tile: &[[f32; COLS]; ROWS], y: usize, x: usize) -> f32 {
    let first = x / N * N;
    (0..N).fold(0.0, |sum, i| matrix[x % N][i].mul_add(tile[y][first + i], sum))
}

/// Transforms an image there and back, and checks both.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the image, rounded up to whole blocks.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the image, rounded up to whole blocks.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// Where to write the image that came back, a PNG file.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// A block between two matrices, on the host.
#[host_only]
fn product(matrix: &[[f64; N]; N], block: &[[f64; N]; N]) -> [[f64; N]; N] {
    let half: [[f64; N]; N] =
        std::array::from_fn(|y| std::array::from_fn(|x| (0..N).map(|i| matrix[y][i] * block[i][x]).sum()));
    std::array::from_fn(|y| std::array::from_fn(|x| (0..N).map(|i| half[y][i] * matrix[x][i]).sum()))
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::<Options>::begin("dct")?;
    let (rows, cols) = (options.rows.next_multiple_of(N), options.cols.next_multiple_of(N));
    // Rings around a corner, as JPEG likes them: from -128 to 127.
    let pixel = |i: usize| (((i / cols).pow(2) + (i % cols).pow(2)) as f32 / 3000.0).cos() * 127.5 - 0.5;
    let pixels: Vec<f32> = (0..rows * cols).map(pixel).collect();
    let cosines: [[f64; N]; N] = std::array::from_fn(|u| {
        let scale = if u == 0 { (1.0 / N as f64).sqrt() } else { (2.0 / N as f64).sqrt() };
        std::array::from_fn(|x| scale * (PI * (2 * x + 1) as f64 * u as f64 / (2 * N) as f64).cos())
    });

    let image = stream.upload_matrix(rows, cols, &pixels)?;
    let mut coefficients = stream.alloc_matrix_zeroed(rows, cols)?;
    let mut back = stream.alloc_matrix_zeroed(rows, cols)?;
    let (transform, inverse) = (transform::load(&device)?, inverse::load(&device)?);
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || {
        transform.launch(&stream, config, (&image, &mut coefficients))?;
        inverse.launch(&stream, config, (&coefficients, &mut back))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels there and back"), timing, "pixels", rows * cols)?;

    let (found, back) = (stream.download(&coefficients)?, stream.download(&back)?);
    let inverse: [[f64; N]; N] = std::array::from_fn(|y| std::array::from_fn(|x| cosines[x][y]));
    let mut noise = 0.0;
    for (row, col) in (0..rows).step_by(N).flat_map(|row| (0..cols).step_by(N).map(move |col| (row, col))) {
        let block = |from: &[f32]| -> [[f64; N]; N] {
            std::array::from_fn(|y| std::array::from_fn(|x| f64::from(from[(row + y) * cols + col + x])))
        };
        let [pixels, found, back] = [&pixels, &found, &back].map(|image| block(image));
        let [exact, expected] = [product(&cosines, &pixels), product(&inverse, &found)];
        let place = || format!("the block at {row}, {col}");
        let quanta = QUANTA.as_flattened().iter().map(|&quantum| f64::from(quantum));
        // Half a quantum, and what sixteen roundings of numbers up to 1024 can add to it.
        let exact = exact.into_iter().flatten().zip(quanta.clone().map(|quantum| quantum / 2.0 + 1e-3));
        check::close("coefficient", found.as_flattened(), exact).with_context(place)?;
        let rests = found.as_flattened().iter().zip(quanta).map(|(found, quantum)| found % quantum);
        check::equal("rest of quantised coefficient", &rests.collect::<Vec<_>>(), [0.0; N * N])
            .with_context(place)?;
        let (expected, pixels) = (expected.as_flattened(), pixels.as_flattened());
        let within = expected.iter().map(|&pixel| (pixel, 1e-3));
        check::close("pixel", back.as_flattened(), within).with_context(place)?;
        noise += expected.iter().zip(pixels).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    }
    let ratio = 10.0 * (255.0_f64.powi(2) * (rows * cols) as f64 / noise).log10();
    let ratio = format_args!("{ratio:.1} dB of the signal over the noise");
    report.row("checked", format_args!("every coefficient and pixel; quantised, {ratio}"))?;
    let Some(output) = options.output else { return Ok(()) };
    report.grays(&output, [rows, cols], back.into_iter().map(|pixel| pixel + 128.0))
}
