//! A product of matrices: tiles in workgroup memory against the loop whose innermost one runs along rows.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Contestant, Harness, Race, calling};
use super::loops;
use gridwright_examples::samples::matrix_mul::{matrix_mul, matrix_mul_load_tile};

const SIZE: usize = 512;

/// Rows of C that rayon hands out at once; the fastest races.
const ROWS: [usize; 4] = [8, 32, 64, 128];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let names = [format!("matrix_mul, {SIZE}"), format!("matrix_mul_load_tile, {SIZE}")];
    if !names.iter().any(|name| harness.wants(name)) {
        return Ok(());
    }
    // Small whole numbers: no sum is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..SIZE * SIZE).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..SIZE * SIZE).map(|i| (i % 5) as f32 - 2.0).collect();
    let (mut c_peer, mut c_serial) = (vec![0.0; SIZE * SIZE], vec![0.0; SIZE * SIZE]);
    loops::matrix_mul(SIZE, SIZE, &a, &b, &mut c_serial);
    loops::matrix_mul_rayon(SIZE, SIZE, &a, &b, &mut c_peer, ROWS[0]);
    ensure!(c_peer == c_serial, "matrix_mul: the peer differs from one thread");

    let stream = device.stream()?;
    let (ours_a, ours_b) = (stream.upload_matrix(SIZE, SIZE, &a)?, stream.upload_matrix(SIZE, SIZE, &b)?);
    let mut ours_c = stream.alloc_matrix_zeroed(SIZE, SIZE)?;
    let config = LaunchConfig::for_matrix(SIZE, SIZE);
    let (by_element, by_tile) = (matrix_mul::load(device)?, matrix_mul_load_tile::load(device)?);
    let rows =
        harness.fastest(&ROWS, |rows| loops::matrix_mul_rayon(SIZE, SIZE, &a, &b, &mut c_peer, rows))?;
    for (name, loads_tiles) in names.into_iter().zip([false, true]) {
        if !harness.wants(&name) {
            continue;
        }
        let mut launch = || {
            let arguments = (&ours_a, &ours_b, &mut ours_c);
            if loads_tiles {
                by_tile.launch(&stream, config, arguments)?;
            } else {
                by_element.launch(&stream, config, arguments)?;
            }
            stream.synchronize()
        };
        launch()?;
        let ours: Contestant<'_> = Box::new(|calls| Ok((0..calls).try_for_each(|_| launch())?));
        harness.race(Race {
            name: name.clone(),
            peer_name: format!("rayon, i-k-j, {rows} rows"),
            ours,
            peer: calling(|| loops::matrix_mul_rayon(SIZE, SIZE, &a, &b, &mut c_peer, rows)),
            serial: Some(calling(|| loops::matrix_mul(SIZE, SIZE, &a, &b, &mut c_serial))),
        })?;
        ensure!(stream.download(&ours_c)? == c_serial, "{name}: ours differs");
    }
    Ok(())
}
