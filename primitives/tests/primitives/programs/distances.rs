//! The distance of two vectors, in one pass over both and without memory between.

// ANCHOR: program
use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::Add;
use gridwright_primitives::source::{Map, Slice, Zip};
#[host_only]
use gridwright_primitives::{Error, Input};

operator! {
    pub struct SquaredDifference = |pair: (f32, f32)| -> f32 { (pair.0 - pair.1) * (pair.0 - pair.1) };
}

/// Stands for this crate's instances.
pub struct Distances;

instance! { impl primitives::Reduce<Map<Zip<Slice<f32>, Slice<f32>>, SquaredDifference>, Add> for Distances; }

#[host_only]
pub(crate) fn run(stream: &Stream) -> Result<(), Error> {
    let x = stream.upload(&[1.0_f32, 2.0, 3.0])?;
    let y = stream.upload(&[1.0_f32, 5.0, 7.0])?;
    let p = primitives::on(stream).with_kernels::<Distances>();
    let squared = p.reduce(x.zip(&y).map(SquaredDifference), 0.0, Add)?;
    assert_eq!(squared.sqrt(), 5.0);
    Ok(())
}
// ANCHOR_END: program
