//! A step of heat over a chip.

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::hotspot::{
    AMBIENT, Conduction, expected, hotspot, hotspot_by_tiles, power,
};

pub(super) fn by_threads(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = hotspot::load(device)?;
    enter(device, size, move |stream, config, by, [old, power], new| {
        kernel.launch(stream, config, (by, old, power, new))
    })
}

pub(super) fn by_tiles(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = hotspot_by_tiles::load(device)?;
    enter(device, size, move |stream, config, by, [old, power], new| {
        kernel.launch(stream, config, (by, old, power, new))
    })
}

fn enter(
    device: &Device,
    size: Size,
    launch: impl Fn(
        &Stream,
        LaunchConfig,
        Conduction,
        [&MatrixBuffer<f32>; 2],
        &mut MatrixBuffer<f32>,
    ) -> Result<(), gridwright::Error>
    + 'static,
) -> anyhow::Result<Row> {
    let side = size.pick(100, 1024);
    let by = Conduction::of_chip(side, side);
    let old: Vec<f32> = (0..side * side).map(|i| AMBIENT + (i % 17) as f32).collect();
    let power = power(side, side);
    let expected = expected(side, side, by, &old, &power).into_iter().map(f64::from).collect();

    let stream = device.stream()?;
    let (on_device, powers) =
        (stream.upload_matrix(side, side, &old)?, stream.upload_matrix(side, side, &power)?);
    let new = stream.alloc_matrix_zeroed(side, side)?;
    Ok(Row {
        function: "hotspot",
        arrays: vec![Array::F32(old), Array::F32(power), Array::F32(vec![0.0; side * side])],
        scalars: vec![by.heat, by.across, by.down, by.out, AMBIENT],
        sizes: vec![side, side],
        ours: ours(
            stream,
            new,
            move |stream, new| {
                launch(stream, LaunchConfig::for_matrix(side, side), by, [&on_device, &powers], new)
            },
            |stream, new| Ok(Array::F32(stream.download(new)?)),
        ),
        expected,
        is_unordered: false,
        tolerance: 1e-6,
    })
}
