//! The edges of a photograph, a thread a pixel.

use anyhow::ensure;
use gridwright::prelude::*;
use rayon::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::sobel::sobel;

/// Columns and rows of a block.
const BLOCK: [usize; 2] = [32, 8];

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let (rows, cols) = (setting.size(8192, 37), setting.size(8192, 70));
    let name = format!("sobel, {rows}x{cols}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // Slopes of all kinds, and steps between them.
    let value = |row: usize, col: usize| (row * row / 97 + col * col / 53) as u8;
    let image: Vec<u8> = (0..rows * cols).map(|i| value(i / cols, i % cols)).collect();
    let expected = edges(rows, cols, &image);

    let kernel = sobel::load(device)?;
    let config = LaunchConfig::for_matrix(rows, cols).block((BLOCK[0], BLOCK[1]));
    let our_image = stream.upload_matrix(rows, cols, &image)?;
    let mut our_edges = stream.alloc_matrix_zeroed(rows, cols)?;
    kernel.launch(stream, config, (&our_image, &mut our_edges))?;
    ensure!(stream.download(&our_edges)? == expected, "{name}: ours is wrong");

    let (their_image, their_edges) = (driver.upload(&image)?, driver.zeroed::<u8>(rows * cols)?);
    let arguments = [
        driver.address(&their_image),
        driver.address(&their_edges),
        Argument::number(rows),
        Argument::number(cols),
    ];
    let groups = [cols.div_ceil(BLOCK[0]), rows.div_ceil(BLOCK[1])];
    // SAFETY: the parameters of `sobel` in kernels.cu, of memory of these sizes that outlives the race.
    let mut peer = unsafe { Launch::new(driver, &reference.module, "sobel", groups, BLOCK, &arguments) }?;
    peer.go()?;
    ensure!(driver.download(&their_edges)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (&our_image, &mut our_edges))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}

/// The Sobel operator by the book; beyond the border each pixel sees itself.
fn edges(rows: usize, cols: usize, image: &[u8]) -> Vec<u8> {
    let edge = |row: usize, col: usize| {
        let at = |down: usize, right: usize| {
            let is_inside = (1..=rows).contains(&(row + down)) && (1..=cols).contains(&(col + right));
            let (row, col) = if is_inside { (row + down - 1, col + right - 1) } else { (row, col) };
            i32::from(image[row * cols + col])
        };
        let gx = at(0, 2) + 2 * at(1, 2) + at(2, 2) - at(0, 0) - 2 * at(1, 0) - at(2, 0);
        let gy = at(2, 0) + 2 * at(2, 1) + at(2, 2) - at(0, 0) - 2 * at(0, 1) - at(0, 2);
        (gx.abs() + gy.abs()).min(255) as u8
    };
    (0..rows).into_par_iter().flat_map_iter(|row| (0..cols).map(move |col| edge(row, col))).collect()
}
