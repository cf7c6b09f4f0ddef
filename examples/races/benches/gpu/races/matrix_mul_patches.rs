//! C = A·B, by tiles of 64 by 64 elements, of which each thread has 4 by 16.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use super::matrix_mul::product;
use gridwright_examples::samples::matrix_mul::matrix_mul_patches;

/// Rows and columns of a tile.
const TILE: usize = 64;
const BLOCK: [usize; 2] = [4, 16];

/// Rows that are checked of a large matrix, about.
const CHECKED: usize = 64;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let (rows, inner, cols) = (setting.size(2048, 70), setting.size(2048, 50), setting.size(2048, 60));
    let name = format!("matrix_mul_patches, {rows}x{inner}x{cols}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // Small whole numbers: no sum is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..inner * cols).map(|i| (i % 5) as f32 - 2.0).collect();
    // Odd, so that each row of patches is among them.
    let every = (rows / CHECKED) | 1;
    let some = |matrix: &[f32], cols: usize| matrix.chunks(cols).step_by(every).flatten().copied().collect();
    let some_of_a: Vec<f32> = some(&a, inner);
    let expected = product(inner, cols, &some_of_a, &b);

    let kernel = matrix_mul_patches::load(device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let our_a = stream.upload_matrix(rows, inner, &a)?;
    let our_b = stream.upload_matrix(inner, cols, &b)?;
    let mut our_c = stream.alloc_matrix_zeroed(rows, cols)?;
    kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))?;
    ensure!(some(&stream.download(&our_c)?, cols) == expected, "{name}: ours is wrong");

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
        Argument::number(rows),
        Argument::number(cols),
    ];
    let groups = [cols.div_ceil(TILE), rows.div_ceil(TILE)];
    // SAFETY: the parameters of `matrix_mul_patches` in twins.cu, of memory of these sizes that outlives the race.
    let mut peer =
        unsafe { Launch::new(driver, &reference.module, "matrix_mul_patches", groups, BLOCK, &arguments) }?;
    peer.go()?;
    ensure!(some(&driver.download(&their_c)?, cols) == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
