//! `quasirandomGenerator` of the CUDA samples: points of Niederreiter's sequence, which fill a cube more evenly than random ones, and
//! the inverse of the normal distribution.
//!
//! H. Niederreiter, "Low-discrepancy and low-dispersion sequences", 1988; the tables as P. Bratley, B. L. Fox and H. Niederreiter
//! have them in "Implementation and tests of low-discrepancy sequences", 1992.

use gridwright::random::unit_f32;
use gridwright::{math, prelude::*};
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
};

/// The bits of a number: what a point's index has a word of the table for.
const BITS: usize = 32;

/// The coordinates of each point, dimension by dimension.
#[gpu_kernel(requires = table.rows() == points.rows() && table.cols() == BITS)]
pub(crate) fn quasirandom(t: Thread, table: &Matrix<u32>, mut points: PerThread<Matrix<f32>>) {
    let (dimension, mut bits) = (t.row(), 0);
    if let Some(coordinate) = points.get_mut(t) {
        for bit in 0..BITS {
            bits ^= table.get_or(dimension, bit, 0) * (t.col() as u32 >> bit & 1);
        }
        *coordinate = unit_f32(bits);
    }
}

/// Which part of 1 a number stands for: the middle of one of as many equal parts as there are numbers.
#[inline(always)]
fn part(number: usize, len: usize) -> f32 {
    (number as f32 + 0.5) / len as f32
}

/// Where the normal distribution reaches each part of 1.
#[gpu_kernel]
pub(crate) fn inverse_normal(t: Thread, mut x: PerThread<[f32]>) {
    let (number, len) = (t.index(), x.len());
    if let Some(x) = x.get_mut(t) {
        *x = math::norm_cdf_inv(part(number, len));
    }
}

/// Makes points and normal numbers and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of points.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 21 }>)]
    points: usize,
}

/// The first irreducible polynomials over the field of two elements, a bit a coefficient.
#[host_only]
const POLYNOMIALS: [u64; 3] = [0b10, 0b11, 0b111];

#[host_only]
fn product(a: u64, b: u64) -> u64 {
    (0..u64::BITS).filter(|bit| b >> bit & 1 != 0).fold(0, |sum, bit| sum ^ a << bit)
}

/// A word of the table for each bit of an index.
#[host_only]
fn words(polynomial: u64) -> [u32; BITS] {
    let degree = polynomial.ilog2() as usize;
    let (mut power, mut sequence) = (1, 0_u64);
    let mut words = [0; BITS];
    for digit in 0..BITS {
        if digit % degree == 0 {
            power = product(power, polynomial);
            // Each bit of the sequence is made of those before it, by the power's coefficients. It begins with zeros and then ones.
            let order = power.ilog2() as usize;
            sequence = ((1 << degree) - 1) << (order - degree);
            for bit in order..BITS + degree {
                let next = (sequence >> (bit - order) & power & ((1 << order) - 1)).count_ones() & 1;
                sequence |= u64::from(next) << bit;
            }
        }
        for (bit, word) in words.iter_mut().enumerate() {
            *word |= ((sequence >> (bit + digit % degree) & 1) as u32) << (BITS - 1 - digit);
        }
    }
    words
}

/// The property that the sequence is made for: of its first 2ᵐ points, each box of the volume 2¹⁻ᵐ whose sides are parts of 1 by
/// powers of two has two. One, that is, times what the polynomials' degrees are above 1 in all.
#[host_only]
fn check_boxes(points: &[f32], len: usize) -> anyhow::Result<u32> {
    let m = len.ilog2().min(12);
    for (first, second) in (0..m).flat_map(|first| (0..m - first).map(move |second| (first, second))) {
        let sides = [first, second, m - 1 - first - second];
        let mut boxes = vec![0; 1 << (m - 1)];
        for point in 0..1 << m {
            let place = (0..3).fold(0, |place, dimension| {
                let side = 1 << sides[dimension];
                place * side + (points[dimension * len + point] * side as f32) as usize
            });
            boxes[place] += 1;
        }
        ensure!(boxes.iter().all(|&points| points == 2), "boxes of 2 to the -{sides:?} aren't filled evenly");
    }
    Ok(m)
}

/// B. Moro's approximation, "The full Monte", 1995: off by no more than 3e-9.
#[host_only]
fn moro(part: f64) -> f64 {
    let polynomial = |x: f64, coefficients: &[f64]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let x = part - 0.5;
    if x.abs() < 0.42 {
        let above = [2.506_628_238_84, -18.615_000_625_29, 41.391_197_735_34, -25.441_060_496_37];
        let below = [1.0, -8.473_510_930_9, 23.083_367_437_43, -21.062_241_018_26, 3.130_829_098_33];
        return x * polynomial(x * x, &above) / polynomial(x * x, &below);
    }
    let tail = [
        0.337_475_482_272_614_7,
        0.976_169_019_091_718_6,
        0.160_797_971_491_820_9,
        0.027_643_881_033_386_3,
        0.003_840_572_937_360_9,
        0.000_395_189_651_191_9,
        0.000_032_176_788_176_8,
        0.000_000_288_816_736_4,
        0.000_000_396_031_518_7,
    ];
    polynomial((-part.min(1.0 - part).ln()).ln(), &tail).copysign(x)
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { points: len }, device, stream, report } = Sample::begin("points")?;
    ensure!(len > 0, "no points");
    let table: Vec<[u32; BITS]> = POLYNOMIALS.into_iter().map(words).collect();
    let dimensions = table.len();
    let uploaded = stream.upload_matrix(dimensions, BITS, table.as_flattened())?;
    let mut points = stream.alloc_matrix_zeroed(dimensions, len)?;
    let kernel = quasirandom::load(&device)?;
    let config = LaunchConfig::for_matrix(dimensions, len);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&uploaded, &mut points)))?;
    let numbers = dimensions * len;
    report.timed(format_args!("{len} in {dimensions} dimensions"), timing, "numbers", numbers)?;
    let points = stream.download(&points)?;
    for (words, points) in table.iter().zip(points.chunks(len)) {
        // By Gray's code: from each index to the next in that order one bit changes.
        let (mut index, mut bits) = (0, 0);
        for number in 1..=len.next_power_of_two() {
            ensure!(index >= len || points[index] == unit_f32(bits), "point {index} is wrong");
            index ^= 1 << number.trailing_zeros();
            bits ^= words[number.trailing_zeros() as usize];
        }
    }
    let m = check_boxes(&points, len)?;

    let mut x = stream.alloc_zeroed(numbers)?;
    let kernel = inverse_normal::load(&device)?;
    let timing = Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(numbers), (&mut x,)))?;
    report.row("normal", format_args!("{numbers}, {timing}, {}", timing.rate("numbers", numbers)))?;
    let expected = (0..numbers).map(|number| moro(part(number, numbers).into()));
    // Five units in the last place of the one, and what the other is off by.
    let expected = expected.map(|x| (x, 5.0 * f64::from(f32::EPSILON) * x.abs() + 3e-9));
    let largest = check::close("number", &stream.download(&x)?, expected)?;
    let boxes = format_args!("all boxes of 2 to the {m} points");
    report.row("checked", format_args!("every number, off by at most {largest:.1e}, and {boxes}"))
}
