//! Mistakes, each of which is an error.

use gridwright::prelude::*;
use gridwright_comm::{Communicator, Error, ReduceOp, World};

use crate::launch::Ranks;

#[test]
fn differences_between_ranks_are_errors_of_all() {
    for program in [
        "bad_input::other_lengths",
        "bad_input::other_types",
        "bad_input::other_operators",
        "bad_input::other_calls",
        "bad_input::other_roots",
        "bad_input::messages_of_other_lengths",
    ] {
        Ranks::new(3, program).with("GRIDWRIGHT_COMM_CHECKS", "1").succeed();
    }
}

#[test]
fn a_call_that_a_rank_does_not_make_ends_by_the_time_limit() {
    let limits = |program| {
        Ranks::new(3, program)
            .with("GRIDWRIGHT_COMM_CHECKS", "1")
            .with("GRIDWRIGHT_COMM_TIME_LIMIT_S", "1")
            .succeed();
    };
    limits("bad_input::a_call_too_few");
    limits("bad_input::a_message_too_few");
}

#[test]
fn what_one_rank_sees_by_itself_is_its_own_error() {
    Ranks::new(2, "bad_input::own_mistakes").with("GRIDWRIGHT_COMM_CHECKS", "1").succeed();
}

#[test]
fn an_mpi_that_is_not_there_says_what_to_install() {
    Ranks::new(1, "bad_input::no_mpi").with("GRIDWRIGHT_MPI_LIBRARY", "/nowhere/libmpi.so").succeed();
}

#[test]
fn a_library_that_is_not_mpi_is_refused() {
    Ranks::new(1, "bad_input::another_library").with("GRIDWRIGHT_MPI_LIBRARY", "libc.so.6").succeed();
}

#[test]
fn a_variable_that_means_nothing_is_refused() {
    Ranks::new(1, "bad_input::odd_variable").with("GRIDWRIGHT_COMM_TIME_LIMIT_S", "soon").succeed();
}

fn ranks() -> Result<(World, Communicator, Stream), Error> {
    let world = World::from_env()?;
    let device = Device::cpu()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    Ok((world, communicator, stream))
}

/// Sees that a call failed by a difference that names both things, and that the communicator is broken.
fn is_mismatch(communicator: &Communicator, done: Result<(), Error>, one: &str, other: &str) {
    let error = done.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::Mismatch { .. }), "{text}");
    assert!(text.contains(one) && text.contains(other), "{text}");
    assert!(text.starts_with(&format!("rank {}:", communicator.rank())), "{text}");
    assert_eq!(communicator.check().unwrap_err().to_string(), text);
}

#[test]
#[ignore = "a program of ranks"]
fn other_lengths() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let mut x = stream.alloc_zeroed::<f32>(if world.rank() == 1 { 5 } else { 4 })?;
    let done = communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum);
    is_mismatch(&communicator, done, "4 f32", "5 f32");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn other_types() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let (mut x, mut y) = (stream.alloc_zeroed::<f32>(4)?, stream.alloc_zeroed::<u32>(4)?);
    let done = match world.rank() {
        2 => communicator.broadcast(&stream, &mut y, 0),
        _ => communicator.broadcast(&stream, &mut x, 0),
    };
    is_mismatch(&communicator, done, "4 f32", "4 u32");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn other_operators() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let mut x = stream.alloc_zeroed::<f32>(4)?;
    let op = if world.rank() == 0 { ReduceOp::Minimum } else { ReduceOp::Sum };
    let done = communicator.all_reduce_in_place(&stream, &mut x, op);
    is_mismatch(&communicator, done, "by sum", "by minimum");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn other_calls() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let mut x = stream.alloc_zeroed::<f32>(3)?;
    // The second call of each: ranks are in another order.
    communicator.barrier(&stream)?;
    let done = match world.rank() {
        0 => communicator.barrier(&stream),
        _ => communicator.broadcast(&stream, &mut x, 0),
    };
    is_mismatch(&communicator, done, "`barrier`", "`broadcast`");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn other_roots() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let mut x = stream.alloc_zeroed::<f32>(3)?;
    let root = usize::from(world.rank() == 2);
    let done = communicator.broadcast(&stream, &mut x, root);
    is_mismatch(&communicator, done, "from rank 0", "from rank 1");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn messages_of_other_lengths() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let mut x = stream.alloc_zeroed::<f32>(3 + world.rank())?;
    let done = match world.rank() {
        0 => communicator.send(&stream, &x, 1),
        1 => communicator.receive(&stream, &mut x, 0),
        // It takes no part in the messages, and learns of it in what it calls next.
        _ => communicator.barrier(&stream),
    };
    is_mismatch(&communicator, done, "3 f32", "4 f32");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn a_call_too_few() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    if world.rank() == 2 {
        // Longer than the others wait.
        std::thread::sleep(std::time::Duration::from_secs(2));
        return Ok(());
    }
    let error = communicator.barrier(&stream).unwrap_err();
    assert!(matches!(&error, Error::Missing { missing, .. } if *missing == [2]), "{error}");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn a_message_too_few() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let x = stream.alloc_zeroed::<f32>(3)?;
    if world.rank() == 0 {
        let error = communicator.send(&stream, &x, 2).unwrap_err();
        assert!(matches!(&error, Error::Missing { missing, .. } if *missing == [2]), "{error}");
    } else {
        std::thread::sleep(std::time::Duration::from_secs(2));
        // It hears of what went wrong elsewhere.
        assert!(communicator.barrier(&stream).is_err());
    }
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn own_mistakes() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let (x, mut y) = (stream.alloc_zeroed::<f32>(3)?, stream.alloc_zeroed::<f32>(4)?);
    if world.rank() == 0 {
        let error = communicator.all_reduce(&stream, &x, &mut y, ReduceOp::Sum).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 3, given: 4, .. }), "{error}");
        let error = communicator.all_gather(&stream, &x, &mut y).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 6, given: 4, .. }), "{error}");
        let error = communicator.all_to_all(&stream, &x, &mut stream.alloc_zeroed(3)?).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 4, given: 3, .. }), "{error}");
        let error = communicator.all_to_all_v(&stream, &x, &[3], &mut y, &[2, 2]).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 2, given: 1, .. }), "{error}");
        let error = communicator.broadcast(&stream, &mut y, 2).unwrap_err();
        assert!(matches!(error, Error::NoSuchRank { given: 2, size: 2, .. }), "{error}");
        let error = communicator.send(&stream, &y, 7).unwrap_err();
        assert!(matches!(error, Error::NoSuchRank { given: 7, .. }), "{error}");
        let other = Device::cpu()?;
        let error = communicator.barrier(&other.stream()?).unwrap_err();
        assert!(matches!(error, Error::ForeignStream { .. }), "{error}");
        let mut foreign = other.stream()?.alloc_zeroed::<f32>(3)?;
        let error = communicator.broadcast(&stream, &mut foreign, 0).unwrap_err();
        assert!(matches!(error, Error::Gridwright(gridwright::Error::ForeignBuffer { .. })), "{error}");
        assert!(matches!(World::from_env(), Err(Error::SecondWorld)));
    }
    // None of it was called, so that the ranks are still together.
    communicator.broadcast(&stream, &mut y, 0)?;
    communicator.check()
}

#[test]
#[ignore = "a program of ranks"]
fn no_mpi() {
    let error = World::from_env().unwrap_err();
    assert!(matches!(&error, Error::EngineMissing { engine: "MPI", .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("/nowhere/libmpi.so") && text.contains("apt-get install openmpi-bin"), "{text}");
}

#[test]
#[ignore = "a program of ranks"]
fn another_library() {
    let error = World::from_env().unwrap_err();
    assert!(matches!(&error, Error::EngineUnknown { engine: "MPI", .. }), "{error}");
}

#[test]
#[ignore = "a program of ranks"]
fn odd_variable() {
    let error = World::from_env().unwrap_err();
    assert!(matches!(&error, Error::Environment { variable: "GRIDWRIGHT_COMM_TIME_LIMIT_S", .. }), "{error}");
}
