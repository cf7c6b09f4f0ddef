//! A sparse matrix times a vector.

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::{Contestant, Row, ours};
use gridwright_examples::samples::spmv::{ROWS, Sparse, spmv, spmv_by_warps};

pub(super) fn by_threads(device: &Device, size: Size) -> anyhow::Result<Row> {
    let rows = size.pick(300, 1 << 16);
    let (matrix, x) = problem(rows);
    let stream = device.stream()?;
    let kernel = spmv::load(device)?;
    let offsets = stream.upload_offsets(&matrix.offsets)?;
    let (weights, columns) = (stream.upload(&matrix.weights)?, stream.upload(&matrix.columns)?);
    let on_device = stream.upload(&x)?;
    let y = stream.alloc_zeroed(rows)?;
    let ours = ours(
        stream,
        y,
        move |stream, y| {
            let (weights, columns) = (weights.segments(&offsets), columns.segments(&offsets));
            kernel.launch(stream, LaunchConfig::threads(rows), (weights, columns, &on_device, y))
        },
        |stream, y| Ok(Array::F32(stream.download(y)?)),
    );
    row(matrix, x, ours)
}

pub(super) fn by_warps(device: &Device, size: Size) -> anyhow::Result<Row> {
    let rows = size.pick(300, 1 << 16);
    let (matrix, x) = problem(rows);
    let stream = device.stream()?;
    let kernel = spmv_by_warps::load(device)?;
    let offsets = stream.upload_offsets(&matrix.offsets)?;
    let (weights, columns) = (stream.upload(&matrix.weights)?, stream.upload(&matrix.columns)?);
    let on_device = stream.upload(&x)?;
    let y = stream.alloc_matrix_zeroed(rows, 1)?;
    let ours = ours(
        stream,
        y,
        move |stream, y| {
            let (weights, columns) = (weights.segments(&offsets), columns.segments(&offsets));
            let config = LaunchConfig::grid(rows.div_ceil(ROWS), 256);
            kernel.launch(stream, config, (weights, columns, &on_device, y))
        },
        |stream, y| Ok(Array::F32(stream.download(y)?)),
    );
    row(matrix, x, ours)
}

fn problem(rows: usize) -> (Sparse, Vec<f32>) {
    (Sparse::new(rows, 20), (0..rows).map(|i| (i % 7) as f32).collect())
}

fn row(matrix: Sparse, x: Vec<f32>, ours: Box<dyn Contestant>) -> anyhow::Result<Row> {
    let expected = matrix.times(&x).into_iter().map(f64::from).collect();
    let Sparse { offsets, columns, weights } = matrix;
    let rows = x.len();
    Ok(Row {
        function: "spmv",
        arrays: vec![
            Array::U32(offsets),
            Array::U32(columns),
            Array::F32(weights),
            Array::F32(x),
            Array::F32(vec![0.0; rows]),
        ],
        scalars: Vec::new(),
        sizes: vec![rows],
        ours,
        expected,
        is_unordered: false,
        tolerance: 0.0,
    })
}
