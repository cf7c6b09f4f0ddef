//! A frame's work that is recorded once and repeated, with memory that was taken before.

// ANCHOR: program
use gridwright::prelude::*;
use gridwright_primitives::operators::Add;
use gridwright_primitives::{self as primitives, Error, Primitives, Workspace};

pub(crate) fn run(stream: &Stream) -> Result<(), Error> {
    let mut keys = stream.alloc_zeroed::<u32>(10_000)?;
    let mut sums = stream.alloc_zeroed::<u32>(10_000)?;
    let mut frame = |p: &Primitives<'_>| -> Result<(), Error> {
        p.sort(&mut keys)?;
        p.inclusive_scan(&keys, Add, &mut sums)
    };
    // As much as the larger of the two needs.
    let workspace = Workspace::for_calls(stream, &mut frame)?;
    let graph =
        primitives::capture(stream, |stream| frame(&primitives::on(stream).in_workspace(&workspace)))?;

    for turn in 1..4 {
        let numbers: Vec<u32> = (0..10_000).map(|i| i * 7919 % 10_007 * turn).collect();
        stream.copy_from_slice(&mut keys, &numbers)?;
        graph.launch(stream)?;
        let (first, total) = (numbers.iter().min(), numbers.iter().sum());
        let sums = stream.download(&sums)?;
        assert_eq!((sums.first(), sums.last()), (first, Some(&total)));
    }
    Ok(())
}
// ANCHOR_END: program
