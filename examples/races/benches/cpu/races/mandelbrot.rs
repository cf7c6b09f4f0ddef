//! The Mandelbrot set: `each_while` against a loop in the closure.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race};
use crate::kernels::{mandelbrot_each_while, mandelbrot_loop};

const SIZE: usize = 512;
const MOST: u32 = 256;

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("mandelbrot, {SIZE}x{SIZE}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let stream = device.stream()?;
    let (each_while, plain) = (mandelbrot_each_while::load(device)?, mandelbrot_loop::load(device)?);
    let config = LaunchConfig::for_matrix(SIZE, SIZE);
    let (mut ours, mut peer) =
        (stream.alloc_matrix_zeroed(SIZE, SIZE)?, stream.alloc_matrix_zeroed(SIZE, SIZE)?);
    each_while.launch(&stream, config, (MOST, SIZE as f32, &mut ours))?;
    plain.launch(&stream, config, (MOST, SIZE as f32, &mut peer))?;
    ensure!(stream.download(&ours)? == stream.download(&peer)?, "{name}: the kernels differ");
    harness.race(Race {
        name,
        peer_name: "ours, the loop in the closure".into(),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                each_while.launch(&stream, config, (MOST, SIZE as f32, &mut ours))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: Box::new(|calls| {
            for _ in 0..calls {
                plain.launch(&stream, config, (MOST, SIZE as f32, &mut peer))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        serial: None,
    })
}
