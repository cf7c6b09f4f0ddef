//! Distances in a graph, breadth first.

use std::cell::RefCell;
use std::rc::Rc;

use gridwright::prelude::*;

use super::Size;
use crate::c::Array;
use crate::race::Row;
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
    let distances = Rc::new(RefCell::new(stream.upload(&first)?));
    let mut goes_on = stream.alloc_zeroed(1)?;
    let (made, reader) = (Rc::clone(&distances), device.stream()?);
    Ok(Row {
        function: "bfs",
        arrays: vec![Array::U32(network.offsets), Array::U32(network.neighbours), Array::U32(first.clone())],
        scalars: Vec::new(),
        sizes: vec![nodes],
        ours: Box::new(move || {
            let distances = &mut *distances.borrow_mut();
            stream.copy_from_slice(distances, &first)?;
            reach_all(&kernel, &stream, &neighbours, &offsets, distances, &mut goes_on)?;
            Ok(stream.synchronize()?)
        }),
        result: Box::new(move || Ok(Array::U32(reader.download(&*made.borrow())?).values())),
        expected,
        tolerance: 0.0,
    })
}
