//! A transposition: tiles in workgroup memory against a loop along the rows of the output.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::loops;
use gridwright_examples::samples::transpose::transpose_tiled;

const SIZE: usize = 4096;

/// Rows that rayon hands out at once; the fastest races.
const ROWS: [usize; 4] = [1, 8, 32, 128];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("transpose, {SIZE}x{SIZE}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let elements: Vec<f32> = (0..SIZE * SIZE).map(|i| i as f32).collect();
    let (mut peer, mut serial) = (vec![0.0; SIZE * SIZE], vec![0.0; SIZE * SIZE]);
    loops::transpose(SIZE, SIZE, 0, &elements, &mut serial);
    loops::transpose_rayon(SIZE, SIZE, &elements, &mut peer, ROWS[0]);
    ensure!(peer == serial, "{name}: the peer differs from one thread");

    let stream = device.stream()?;
    let kernel = transpose_tiled::load(device)?;
    let config = LaunchConfig::for_matrix(SIZE, SIZE);
    let (input, mut output) =
        (stream.upload_matrix(SIZE, SIZE, &elements)?, stream.alloc_matrix_zeroed(SIZE, SIZE)?);
    kernel.launch(&stream, config, (&input, &mut output))?;
    ensure!(stream.download(&output)? == serial, "{name}: ours differs");

    let rows =
        harness.fastest(&ROWS, |rows| loops::transpose_rayon(SIZE, SIZE, &elements, &mut peer, rows))?;
    harness.race(Race {
        name,
        peer_name: format!("rayon, {rows} rows"),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                kernel.launch(&stream, config, (&input, &mut output))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: calling(|| loops::transpose_rayon(SIZE, SIZE, &elements, &mut peer, rows)),
        serial: Some(calling(|| loops::transpose(SIZE, SIZE, 0, &elements, &mut serial))),
    })
}
