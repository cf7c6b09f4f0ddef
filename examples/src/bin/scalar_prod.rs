//! `scalarProd` of the CUDA samples: the dot products of many pairs of vectors, a workgroup a pair.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// Row by row: each thread sums products `BLOCK` apart, then the group sums what its threads have.
#[gpu_kernel(block = BLOCK, requires = a.rows() == b.rows() && a.cols() == b.cols() && products.len() == a.rows())]
pub(crate) fn scalar_products(g: &Group, a: &Matrix<f32>, b: &Matrix<f32>, mut products: PerGroup<[f32]>) {
    let mut sums = g.private(0.0_f32);
    let row = g.index();
    for col in g.blocks(a.cols(), BLOCK) {
        g.each((&mut sums, a.elements_from(row, col), b.elements_from(row, col)), |_, (sum, a, b)| {
            if let (Some(a), Some(b)) = (a, b) {
                *sum = a.mul_add(*b, *sum);
            }
        });
    }
    products.set(g, g.reduce(&sums, |a, b| a + b));
}

/// Multiplies pairs of vectors and checks the products.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of pairs.
    #[arg(long, default_value_t = 256, value_parser = up_to::<{ 1 << 16 }>)]
    pairs: usize,
    /// The elements of a vector.
    #[arg(long, default_value_t = 4096, value_parser = up_to::<{ 1 << 20 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { pairs, len }, device, stream, report } = Sample::begin("dot")?;
    let elements = |seed: usize| -> Vec<f32> {
        (0..pairs * len).map(|i| (i * seed % 2003) as f32 / 1001.5 - 1.0).collect()
    };
    let (a, b) = (elements(7919), elements(104_729));

    let (on_a, on_b) = (stream.upload_matrix(pairs, len, &a)?, stream.upload_matrix(pairs, len, &b)?);
    let mut products = stream.alloc_zeroed(pairs)?;
    let kernel = scalar_products::load(&device)?;
    let timing = Timing::of(&stream, || {
        kernel.launch(&stream, LaunchConfig::grid(pairs, BLOCK), (&on_a, &on_b, &mut products))
    })?;
    report.timed(format_args!("{pairs} pairs of {len} elements"), timing, "B", 8 * pairs * len)?;

    let expected = |pair: usize| {
        let terms = || (pair * len..(pair + 1) * len).map(|i| f64::from(a[i]) * f64::from(b[i]));
        let (sum, most): (f64, f64) = (terms().sum(), terms().map(f64::abs).sum());
        // A sum of n terms is off by n half units in the last place of what they would sum up to without signs.
        (sum, most * len as f64 * f64::from(f32::EPSILON) / 2.0)
    };
    report.close("product", &stream.download(&products)?, (0..pairs).map(expected))
}
