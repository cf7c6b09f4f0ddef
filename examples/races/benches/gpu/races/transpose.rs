//! A transposition, by tiles whose rows have an element that nobody uses.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::transpose::transpose_padded;

/// Rows and columns of a tile.
const T: usize = 32;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let (rows, cols) = (setting.size(8192, 70), setting.size(8192, 50));
    let name = format!("transpose, {rows}x{cols}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // Up to 2²⁴ a float has each whole number.
    let input: Vec<f32> = (0..rows * cols).map(|i| (i % (1 << 24)) as f32).collect();
    let expected: Vec<f32> = (0..rows * cols).map(|i| input[i % rows * cols + i / rows]).collect();

    let kernel = transpose_padded::load(device)?;
    let config = LaunchConfig::for_matrix(cols, rows);
    let our_input = stream.upload_matrix(rows, cols, &input)?;
    let mut our_output = stream.alloc_matrix_zeroed(cols, rows)?;
    kernel.launch(stream, config, (&our_input, &mut our_output))?;
    ensure!(stream.download(&our_output)? == expected, "{name}: ours is wrong");

    let (their_input, their_output) = (driver.upload(&input)?, driver.zeroed::<f32>(rows * cols)?);
    let arguments = [
        driver.address(&their_input),
        Argument::number(rows),
        Argument::number(cols),
        driver.address(&their_output),
    ];
    let groups = [rows.div_ceil(T), cols.div_ceil(T)];
    // SAFETY: the parameters of `transpose_padded` in kernels.cu, of memory of these sizes that outlives the race.
    let mut peer =
        unsafe { Launch::new(driver, &reference.module, "transpose_padded", groups, [T, T], &arguments) }?;
    peer.go()?;
    ensure!(driver.download(&their_output)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (&our_input, &mut our_output))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
