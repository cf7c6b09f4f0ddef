//! Calls of so much memory that an engine moves it in parts.

use gridwright::prelude::*;
use gridwright_comm::{Error, ReduceOp, World};

use crate::launch::Ranks;

/// Elements of more than 16 MiB, with a part at the end that is odd.
const LEN: usize = (5 << 20) + 3;

#[test]
fn what_is_moved_in_parts_is_whole() {
    for checks in ["0", "1"] {
        Ranks::new(2, "parts::in_parts").with("GRIDWRIGHT_COMM_CHECKS", checks).succeed();
    }
}

#[test]
#[ignore = "a program of ranks"]
fn in_parts() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = Device::cpu()?;
    let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    let elements = |rank: u32| (0..LEN as u32).map(move |i| i * (rank + 1));
    let x = stream.upload(&elements(world.rank() as u32).collect::<Vec<_>>())?;
    let sums: Vec<u32> = elements(0).zip(elements(1)).map(|(one, other)| one.wrapping_add(other)).collect();
    let mut y = stream.alloc_zeroed::<u32>(LEN)?;
    communicator.all_reduce(&stream, &x, &mut y, ReduceOp::Sum)?;
    assert!(stream.download(&y)? == sums);

    let mut in_place = x;
    communicator.all_reduce_in_place(&stream, &mut in_place, ReduceOp::Sum)?;
    assert!(stream.download(&in_place)? == sums);

    stream.fill(&mut y, world.rank() as u32)?;
    if world.rank() == 1 {
        stream.copy(&in_place, &mut y)?;
    }
    communicator.broadcast(&stream, &mut y, 1)?;
    assert!(stream.download(&y)? == sums);
    communicator.check()
}
