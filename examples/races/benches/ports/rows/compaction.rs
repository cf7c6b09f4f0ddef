//! The elements that pass a test, in no order.

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::stream_compaction::{BLOCK, compact_by_ballots, compact_by_counter, stays};

pub(super) fn by_ballots(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = compact_by_ballots::load(device)?;
    enter(device, size, move |stream, config, (x, y, count)| kernel.launch(stream, config, (x, y, count)))
}

pub(super) fn by_counter(device: &Device, size: Size) -> anyhow::Result<Row> {
    let kernel = compact_by_counter::load(device)?;
    enter(device, size, move |stream, config, (x, y, count)| kernel.launch(stream, config, (x, y, count)))
}

/// The elements, those that stay, and how many they are.
type Memory<'m> = (&'m Buffer<u32>, &'m mut Buffer<u32>, &'m mut Buffer<u32>);

fn enter(
    device: &Device,
    size: Size,
    launch: impl Fn(&Stream, LaunchConfig, Memory<'_>) -> Result<(), gridwright::Error> + 'static,
) -> anyhow::Result<Row> {
    let len = size.pick(1001, 1 << 20);
    // Of elements without a pattern one in three stays, which no processor can tell in advance.
    let x: Vec<u32> = (0..len as u64)
        .map(|i| (i * i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40)
        .map(|x| x as u32 | 1)
        .collect();
    let mut expected: Vec<f64> = x.iter().copied().filter(|&x| stays(x)).map(f64::from).collect();
    expected.resize(len, 0.0);

    let stream = device.stream()?;
    let on_device = stream.upload(&x)?;
    let mut count = stream.alloc_zeroed(1)?;
    let y = stream.alloc_zeroed(len)?;
    let config = LaunchConfig::grid(len.div_ceil(BLOCK), BLOCK);
    Ok(Row {
        function: "compaction",
        arrays: vec![Array::U32(x), Array::U32(vec![0; len])],
        scalars: Vec::new(),
        sizes: vec![len],
        ours: ours(
            stream,
            y,
            move |stream, y| {
                stream.fill(&mut count, 0)?;
                launch(stream, config, (&on_device, y, &mut count))
            },
            |stream, y| Ok(Array::U32(stream.download(y)?)),
        ),
        expected,
        is_unordered: true,
        tolerance: 0.0,
    })
}
