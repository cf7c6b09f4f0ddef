//! The best alignment of two sequences.

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::needleman_wunsch::{align, align_all, expected, scores};

const GAP: i32 = 10;

pub(super) fn enter(device: &Device, size: Size) -> anyhow::Result<Row> {
    let side = size.pick(100, 1024);
    let scores = scores(side, side);
    let expected = expected(side, side, GAP, &scores).into_iter().map(f64::from).collect();

    let stream = device.stream()?;
    let kernel = align::load(device)?;
    let on_device = stream.upload_matrix(side, side, &scores)?;
    let table = stream.alloc_matrix_zeroed(side, side)?;
    Ok(Row {
        function: "needleman_wunsch",
        arrays: vec![Array::I32(scores), Array::I32(vec![0; side * side])],
        scalars: vec![GAP as f32],
        sizes: vec![side, side],
        ours: ours(
            stream,
            table,
            move |stream, table| align_all(&kernel, stream, GAP, &on_device, table),
            |stream, table| Ok(Array::I32(stream.download(table)?)),
        ),
        expected,
        is_unordered: false,
        tolerance: 0.0,
    })
}
