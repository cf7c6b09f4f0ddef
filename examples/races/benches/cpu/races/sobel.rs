//! The edges of an image, with the kernel of the example.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::loops::Image;
use gridwright_examples::samples::sobel::sobel;

/// The example's photograph, and one that doesn't fit the inner caches.
const SIZES: [(usize, usize); 2] = [(300, 451), (2048, 2048)];

/// The least number of rows that rayon may hand out at once; the fastest races.
const ROWS: [usize; 4] = [1, 4, 16, 64];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    for (rows, cols) in SIZES {
        let name = format!("sobel, {rows}x{cols}");
        if harness.wants(&name) {
            race_one(harness, device, name, rows, cols)?;
        }
    }
    Ok(())
}

fn race_one(
    harness: &mut Harness,
    device: &Device,
    name: String,
    rows: usize,
    cols: usize,
) -> anyhow::Result<()> {
    let pixels: Vec<u8> = (0..rows * cols).map(|i| (i * i / 7 % 251) as u8).collect();
    let image = Image { pixels: &pixels, rows, cols };

    let stream = device.stream()?;
    let kernel = sobel::load(device)?;
    let input = stream.upload_matrix(rows, cols, &pixels)?;
    let mut edges = stream.alloc_matrix_zeroed(rows, cols)?;
    let config = LaunchConfig::for_matrix(rows, cols);

    let (mut edges_peer, mut edges_serial) = (vec![0; pixels.len()], vec![0; pixels.len()]);
    kernel.launch(&stream, config, (&input, &mut edges))?;
    image.sobel_rayon(&mut edges_peer, ROWS[0]);
    image.sobel(&mut edges_serial);
    ensure!(edges_peer == edges_serial, "{name}: the peer differs from one thread");
    ensure!(stream.download(&edges)? == edges_serial, "{name}: ours differs");

    let least = harness.fastest(&ROWS, |rows| image.sobel_rayon(&mut edges_peer, rows))?;
    harness.race(Race {
        name,
        peer_name: format!("rayon, {least} rows or more"),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                kernel.launch(&stream, config, (&input, &mut edges))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: calling(|| image.sobel_rayon(&mut edges_peer, least)),
        serial: Some(calling(|| image.sobel(&mut edges_serial))),
    })
}
