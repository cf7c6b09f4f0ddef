//! C = A·B, by tiles of 16 by 16 elements.

use anyhow::ensure;
use gridwright::prelude::*;
use rayon::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::matrix_mul::matrix_mul;

/// Rows and columns of a tile.
const T: usize = 16;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let (rows, inner, cols) = (setting.size(2048, 50), setting.size(2048, 70), setting.size(2048, 60));
    let name = format!("matrix_mul, {rows}x{inner}x{cols}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // Small whole numbers: no sum is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..inner * cols).map(|i| (i % 5) as f32 - 2.0).collect();
    let expected = product(inner, cols, &a, &b);

    let kernel = matrix_mul::load(device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let our_a = stream.upload_matrix(rows, inner, &a)?;
    let our_b = stream.upload_matrix(inner, cols, &b)?;
    let mut our_c = stream.alloc_matrix_zeroed(rows, cols)?;
    kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))?;
    ensure!(stream.download(&our_c)? == expected, "{name}: ours is wrong");

    let (their_a, their_b) = (driver.upload(&a)?, driver.upload(&b)?);
    let their_c = driver.zeroed::<f32>(rows * cols)?;
    let arguments = [
        driver.address(&their_a),
        Argument::number(rows),
        Argument::number(inner),
        driver.address(&their_b),
        Argument::number(inner),
        Argument::number(cols),
        driver.address(&their_c),
    ];
    let groups = [cols.div_ceil(T), rows.div_ceil(T)];
    // SAFETY: the parameters of `matrix_mul` in kernels.cu, of memory of these sizes that outlives the race.
    let mut peer =
        unsafe { Launch::new(driver, &reference.module, "matrix_mul", groups, [T, T], &arguments) }?;
    peer.go()?;
    ensure!(driver.download(&their_c)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}

/// The product by the book, a row of it after the other on each thread of the host.
pub(super) fn product(inner: usize, cols: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let rows = a.par_chunks(inner);
    let product = rows.flat_map_iter(|row| {
        let mut sums = vec![0.0_f32; cols];
        for (a, b) in row.iter().zip(b.chunks(cols)) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
        sums
    });
    product.collect()
}
