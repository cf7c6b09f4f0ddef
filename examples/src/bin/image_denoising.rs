//! `imageDenoising` of the CUDA samples: a pixel becomes a mean of those around it that look alike. To KNN pixels look alike if their
//! colours do (K nearest neighbours), to NLM if the patches around them do (non-local means).

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Photograph, Sample, Timing, check, noise, up_to},
    std::path::PathBuf,
};

/// The pixels on each side of the middle of a window, and those of all of it. Patches are as large.
const RADIUS: i32 = 3;
const WINDOW: f32 = ((2 * RADIUS + 1) * (2 * RADIUS + 1)) as f32;
/// By how much a pixel goes to the mean where many look alike, or stays itself where few do.
const MIX: f32 = 0.2;
/// What a difference of colours is multiplied with.
const KNN_STEEPNESS: f32 = 1.0 / (0.32 * 0.32);
const NLM_STEEPNESS: f32 = 1.0 / (1.45 * 1.45);
/// The least weight of pixels that look alike, and how many are many.
const KNN_LIMITS: [f32; 2] = [0.02, 0.79 * WINDOW];
const NLM_LIMITS: [f32; 2] = [0.1, 0.1 * WINDOW];

#[inline(always)]
fn difference(a: [f32; 4], b: [f32; 4]) -> f32 {
    (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + (b[2] - a[2]) * (b[2] - a[2])
}

/// What becomes of a pixel if the one that far to the right and down differs so much.
#[inline(always)]
fn denoised(
    image: &Texture2d<[Norm<u8>; 4]>,
    [col, row]: [i32; 2],
    [least, many]: [f32; 2],
    difference: impl Fn(i32, i32) -> f32,
) -> [Norm<u8>; 4] {
    let (mut sum, mut weights, mut alike) = ([0.0; 4], 0.0, 0.0);
    for down in -RADIUS..RADIUS + 1 {
        for right in -RADIUS..RADIUS + 1 {
            let distance = (down * down + right * right) as f32 / WINDOW;
            let weight = (-(difference(right, down) + distance)).exp();
            let pixel = image.fetch(col + right, row + down);
            for i in 0..4 {
                sum[i] += weight * pixel[i];
            }
            weights += weight;
            alike += if weight > least { 1.0 } else { 0.0 };
        }
    }
    let mix = if alike > many { MIX } else { 1.0 - MIX };
    let here = image.fetch(col, row);
    [0, 1, 2, 3].map(|i| {
        let mean = sum[i] / weights;
        Norm::<u8>::new(mean + (here[i] - mean) * mix)
    })
}

#[gpu_kernel(block = (8, 8), requires = image.width() == clear.width() && image.height() == clear.height())]
pub(crate) fn knn(t: Thread, image: &Texture2d<[Norm<u8>; 4]>, clear: Surface2d<[Norm<u8>; 4]>) {
    let (col, row) = (t.col() as i32, t.row() as i32);
    let here = image.fetch(col, row);
    let pixel = denoised(image, [col, row], KNN_LIMITS, |right, down| {
        KNN_STEEPNESS * difference(here, image.fetch(col + right, row + down))
    });
    clear.set(t, pixel);
}

#[gpu_kernel(block = (8, 8), requires = image.width() == clear.width() && image.height() == clear.height())]
pub(crate) fn nlm(t: Thread, image: &Texture2d<[Norm<u8>; 4]>, clear: Surface2d<[Norm<u8>; 4]>) {
    let (col, row) = (t.col() as i32, t.row() as i32);
    let pixel = denoised(image, [col, row], NLM_LIMITS, |right, down| {
        let mut sum = 0.0;
        for y in row - RADIUS..row + RADIUS + 1 {
            for x in col - RADIUS..col + RADIUS + 1 {
                sum += difference(image.fetch(x + right, y + down), image.fetch(x, y));
            }
        }
        NLM_STEEPNESS * sum
    });
    clear.set(t, pixel);
}

/// Adds noise to a photograph, takes it away again, and checks pixels.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// How much a pixel changes at most, of 255.
    #[arg(long, default_value_t = 40, value_parser = up_to::<255>)]
    noise: usize,
    /// Where to write the noisy photograph, what KNN makes of it, and what NLM does, side by side.
    #[arg(short, long, default_value = "image_denoising.png")]
    output: PathBuf,
}

/// Pixels, and the length of a row.
#[host_only]
struct Pixels {
    colours: Vec<[f64; 3]>,
    cols: usize,
}

#[host_only]
impl Pixels {
    fn at(&self, [col, row]: [i64; 2]) -> [f64; 3] {
        let clamped = |at: i64, len: usize| at.clamp(0, len as i64 - 1) as usize;
        self.colours[clamped(row, self.colours.len() / self.cols) * self.cols + clamped(col, self.cols)]
    }

    fn difference(&self, a: [i64; 2], b: [i64; 2]) -> f64 {
        self.at(a).iter().zip(self.at(b)).map(|(a, b)| (a - b).powi(2)).sum()
    }

    /// The two that a pixel may become where a rounding decides how many look alike, else twice the same.
    fn denoised(
        &self,
        i: usize,
        limits: [f32; 2],
        difference: impl Fn([i64; 2], [i64; 2]) -> f64,
    ) -> [[f64; 3]; 2] {
        let window = || (-i64::from(RADIUS)..=i64::from(RADIUS)).flat_map(|y| (-3..=3).map(move |x| [x, y]));
        let here = [(i % self.cols) as i64, (i / self.cols) as i64];
        let weight =
            |[x, y]: [i64; 2]| (-difference(here, [x, y]) - (x * x + y * y) as f64 / f64::from(WINDOW)).exp();
        let weights: Vec<f64> = window().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let mut mean = [0.0; 3];
        for ([x, y], weight) in window().zip(&weights) {
            let pixel = self.at([here[0] + x, here[1] + y]);
            (0..3).for_each(|i| mean[i] += weight * pixel[i] / total);
        }
        [1.0 - 1e-4, 1.0 + 1e-4].map(|nearly| {
            let least = f64::from(limits[0]) * nearly;
            let alike = weights.iter().filter(|&&weight| weight > least).count();
            let mix = f64::from(if alike as f32 > limits[1] { MIX } else { 1.0 - MIX });
            std::array::from_fn(|i| 255.0 * (mean[i] + (self.at(here)[i] - mean[i]) * mix))
        })
    }
}

/// Pixels of which one is checked: NLM takes the host long.
#[host_only]
const EACH: usize = 7;

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("noisy")?;
    let Options { photograph, noise: most, output } = options;
    let (rows, cols, clean) = photograph.colours()?;
    let mut next = noise(1);
    let mut noisy = |byte: u8| {
        let change = ((next() >> 16) as usize * (2 * most + 1)) >> 16;
        Norm((usize::from(byte) + change).saturating_sub(most).min(255) as u8)
    };
    let texels: Vec<_> = clean.iter().map(|&[r, g, b, a]| [noisy(r), noisy(g), noisy(b), Norm(a)]).collect();

    let image = stream.texture(rows, cols, &texels, Sampling::nearest())?;
    let mut clear = stream.texture(rows, cols, &texels, Sampling::nearest())?;
    let (knn, nlm) = (knn::load(&device)?, nlm::load(&device)?);
    let config = LaunchConfig::for_matrix(rows, cols);
    let knn_timing = Timing::of(&stream, || knn.launch(&stream, config, (&image, &mut clear)))?;
    let by_knn = stream.download_texture(&clear)?;
    let nlm_timing = Timing::of(&stream, || nlm.launch(&stream, config, (&image, &mut clear)))?;
    let by_nlm = stream.download_texture(&clear)?;
    let decibels = |of: &[[Norm<u8>; 4]]| {
        let square = |(a, b): (&Norm<u8>, &u8)| (f64::from(a.0) - f64::from(*b)).powi(2);
        let sum: f64 = of.iter().flatten().zip(clean.iter().flatten()).map(square).sum();
        10.0 * (255.0_f64.powi(2) * (3 * rows * cols) as f64 / sum).log10()
    };
    let over_noise = format_args!("{:.1} dB of the signal over the noise", decibels(&texels));
    report.row("noisy", format_args!("{cols} x {rows} pixels, {over_noise}"))?;
    for (name, timing, pixels) in [("KNN", knn_timing, &by_knn), ("NLM", nlm_timing, &by_nlm)] {
        let (rate, decibels) = (timing.rate("pixels", rows * cols), decibels(pixels));
        report.row(name, format_args!("{timing}, {rate}, {decibels:.1} dB"))?;
    }

    let colours = texels.iter().map(|&[r, g, b, _]| [r, g, b].map(|Norm(byte)| f64::from(byte) / 255.0));
    let pixels = Pixels { colours: colours.collect(), cols };
    let patch = || (-3..=3).flat_map(|y| (-3..=3).map(move |x| [x, y]));
    let plus = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
    for i in (0..rows * cols).step_by(EACH) {
        let expected = [
            pixels.denoised(i, KNN_LIMITS, |here, by| {
                f64::from(KNN_STEEPNESS) * pixels.difference(here, plus(here, by))
            }),
            pixels.denoised(i, NLM_LIMITS, |here, by| {
                let of = |at| pixels.difference(plus(here, at), plus(plus(here, at), by));
                f64::from(NLM_STEEPNESS) * patch().map(of).sum::<f64>()
            }),
        ];
        for (name, found, expected) in [("KNN", by_knn[i], expected[0]), ("NLM", by_nlm[i], expected[1])] {
            let found: Vec<u8> = found[..3].iter().map(|channel| channel.0).collect();
            // Half for the rounding to a byte, and little for those before.
            let is_near =
                |expected: &[f64; 3]| check::close(name, &found, expected.map(|x| (x, 0.51))).is_ok();
            ensure!(expected.iter().any(is_near), "{name}'s pixel {i} is {found:?} instead of {expected:?}");
        }
    }
    report.row("checked", format_args!("one pixel in {EACH}"))?;
    let sides = [&texels, &by_knn, &by_nlm];
    let row = |row: usize| sides.into_iter().flat_map(move |side| &side[row * cols..(row + 1) * cols]);
    let side_by_side = (0..rows).flat_map(row).map(|&[Norm(r), Norm(g), Norm(b), _]| [r, g, b]);
    report.colours(&output, [rows, 3 * cols], side_by_side)
}
