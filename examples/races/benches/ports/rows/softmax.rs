//! Softmax of rows.

use gridwright::prelude::*;

use super::{Size, numbers};
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::softmax::{self as sample, BLOCK, ROWS};

pub(super) fn by_groups(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = sample::softmax::load(device)?;
    enter(device, size, move |stream, x, y| {
        kernel.launch(stream, LaunchConfig::grid(x.rows(), BLOCK), (x, y))
    })
}

pub(super) fn by_warps(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = sample::softmax_by_warps::load(device)?;
    enter(device, size, move |stream, x, y| {
        kernel.launch(stream, LaunchConfig::grid(x.rows().div_ceil(ROWS), 256), (x, y))
    })
}

fn enter(
    device: &Device,
    size: Size,
    launch: impl Fn(&Stream, &MatrixBuffer<f32>, &mut MatrixBuffer<f32>) -> Result<(), gridwright::Error>
    + 'static,
) -> anyhow::Result<Row> {
    let (rows, cols) = size.pick((10, 300), (512, 4096));
    let x = numbers(rows * cols);
    let expected = x.chunks(cols).flat_map(sample::expected).collect();

    let stream = device.stream()?;
    let on_device = stream.upload_matrix(rows, cols, &x)?;
    let y = stream.alloc_matrix_zeroed(rows, cols)?;
    Ok(Row {
        function: "softmax",
        arrays: vec![Array::F32(x), Array::F32(vec![0.0; rows * cols])],
        scalars: Vec::new(),
        sizes: vec![rows, cols],
        ours: ours(
            stream,
            y,
            move |stream, y| launch(stream, &on_device, y),
            |stream, y| Ok(Array::F32(stream.download(y)?)),
        ),
        expected,
        is_unordered: false,
        tolerance: 1e-5,
    })
}
