//! Distances in a graph, breadth first.

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::{Row, ours};
use gridwright_examples::samples::bfs::{FAR, Network, reach, reach_all};

pub(super) fn enter(device: &Device, size: Size) -> anyhow::Result<Row> {
    let nodes = size.pick(300, 1 << 17);
    let network = Network::new(nodes, 6);
    let expected = network.distances().into_iter().map(f64::from).collect();
    let mut first = vec![FAR; nodes];
    first.iter_mut().take(1).for_each(|first| *first = 0);

    let stream = device.stream()?;
    let kernel = reach::load(device)?;
    let (offsets, neighbours) =
        (stream.upload_offsets(&network.offsets)?, stream.upload(&network.neighbours)?);
    let distances = stream.upload(&first)?;
    let mut goes_on = stream.alloc_zeroed(1)?;
    Ok(Row {
        function: "bfs",
        arrays: vec![Array::U32(network.offsets), Array::U32(network.neighbours), Array::U32(first.clone())],
        scalars: Vec::new(),
        sizes: vec![nodes],
        ours: ours(
            stream,
            distances,
            move |stream, distances| {
                stream.copy_from_slice(distances, &first)?;
                reach_all(&kernel, stream, &neighbours, &offsets, distances, &mut goes_on).map(drop)
            },
            |stream, distances| Ok(Array::U32(stream.download(distances)?)),
        ),
        expected,
        is_unordered: false,
        tolerance: 0.0,
    })
}
