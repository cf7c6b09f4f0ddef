//! Layer normalisation of rows.

use gridwright::prelude::*;

use super::{Size, numbers};
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::layernorm::{self as sample, BLOCK, EPSILON, ROWS};

/// The matrix, and the weights and biases of its columns.
type Read<'r> = (&'r MatrixBuffer<f32>, &'r Buffer<f32>, &'r Buffer<f32>);

pub(super) fn by_groups(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = sample::layernorm::load(device)?;
    enter(device, size, move |stream, (x, weight, bias), y| {
        kernel.launch(stream, LaunchConfig::grid(x.rows(), BLOCK), (x, weight, bias, y))
    })
}

pub(super) fn by_warps(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = sample::layernorm_by_warps::load(device)?;
    enter(device, size, move |stream, (x, weight, bias), y| {
        kernel.launch(stream, LaunchConfig::grid(x.rows().div_ceil(ROWS), 256), (x, weight, bias, y))
    })
}

fn enter(
    device: &Device,
    size: Size,
    launch: impl Fn(&Stream, Read<'_>, &mut MatrixBuffer<f32>) -> Result<(), gridwright::Error> + 'static,
) -> anyhow::Result<Row> {
    let (rows, cols) = size.pick((10, 300), (1024, 1024));
    let (x, weight, bias) = (numbers(rows * cols), numbers(cols), numbers(2 * cols).split_off(cols));
    let expected = x.chunks(cols).flat_map(|row| sample::expected(row, &weight, &bias)).collect();

    let stream = device.stream()?;
    let on_device = stream.upload_matrix(rows, cols, &x)?;
    let (weights, biases) = (stream.upload(&weight)?, stream.upload(&bias)?);
    let y = stream.alloc_matrix_zeroed(rows, cols)?;
    Ok(Row {
        function: "layernorm",
        arrays: vec![Array::F32(x), Array::F32(weight), Array::F32(bias), Array::F32(vec![0.0; rows * cols])],
        scalars: vec![EPSILON],
        sizes: vec![rows, cols],
        ours: ours(
            stream,
            y,
            move |stream, y| launch(stream, (&on_device, &weights, &biases), y),
            |stream, y| Ok(Array::F32(stream.download(y)?)),
        ),
        expected,
        is_unordered: false,
        tolerance: 1e-5,
    })
}
