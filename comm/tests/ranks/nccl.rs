//! NCCL, on emulated GPUs: where `GRIDWRIGHT_TEST_COMM_DEVICES` has `cuda`, an emulated driver and library are loaded.

use gridwright::prelude::*;
use gridwright_comm::{EngineKind, Error, ReduceOp, World};

use crate::launch::{Ranks, devices};

/// Ranks with an emulated GPU each. None where there are no such.
fn ranks(count: usize, program: &'static str) -> Option<Ranks> {
    devices().iter().any(|device| device == "cuda").then(|| {
        let ranks = Ranks::new(count, program).with("GRIDWRIGHT_DEVICE", "cuda");
        ranks.with("GRIDWRIGHT_EMULATOR_DEVICES", "4").with("GRIDWRIGHT_COMM_ENGINE", "nccl")
    })
}

#[test]
fn every_call_gives_what_it_should() {
    for checks in ["0", "1"] {
        for count in [2, 4] {
            let Some(ranks) = ranks(count, "collectives::every_call") else { return };
            ranks.with("GRIDWRIGHT_COMM_CHECKS", checks).succeed();
        }
    }
}

#[test]
fn calls_on_several_streams_come_in_the_order_in_which_they_are_made() {
    let Some(ranks) = ranks(3, "collectives::several_streams") else { return };
    ranks.with("GRIDWRIGHT_EMULATOR_DELAY_US", "2000").succeed();
}

#[test]
fn random_sequences_of_calls_give_what_one_rank_gets() {
    let Some(ranks) = ranks(4, "random::sequences") else { return };
    ranks.with("GRIDWRIGHT_TEST_COMM_CASES", "50").succeed();
}

#[test]
fn nccl_is_taken_where_it_is_found() {
    let Some(ranks) = ranks(2, "nccl::is_taken") else { return };
    ranks.with("GRIDWRIGHT_COMM_ENGINE", "").succeed();
}

#[test]
fn without_nccl_mpi_does_it_and_who_names_nccl_hears_what_to_install() {
    let Some(nccl) = ranks(2, "nccl::is_not_there") else { return };
    nccl.with("GRIDWRIGHT_NCCL_LIBRARY", "/nowhere/libnccl.so").succeed();
    let Some(any) = ranks(2, "nccl::mpi_is_taken") else { return };
    any.with("GRIDWRIGHT_COMM_ENGINE", "").with("GRIDWRIGHT_NCCL_LIBRARY", "/nowhere/libnccl.so").succeed();
}

#[test]
fn the_cpu_has_no_nccl() {
    Ranks::new(2, "nccl::none_for_the_cpu").with("GRIDWRIGHT_COMM_ENGINE", "nccl").succeed();
}

#[test]
fn more_ranks_than_gpus_are_an_error() {
    let Some(ranks) = ranks(3, "nccl::too_many_ranks") else { return };
    ranks.with("GRIDWRIGHT_EMULATOR_DEVICES", "2").succeed();
}

#[test]
fn two_ranks_on_one_gpu_are_an_error() {
    let Some(ranks) = ranks(2, "nccl::one_device") else { return };
    ranks.with("GRIDWRIGHT_DEVICE", "cuda:0").succeed();
}

#[test]
fn a_graph_cannot_have_its_calls() {
    let Some(ranks) = ranks(2, "nccl::in_a_graph") else { return };
    ranks.succeed();
}

#[test]
fn a_rank_that_ends_is_an_error_of_the_others() {
    let Some(ranks) = ranks(4, "ends::killed_in_a_call") else { return };
    let Some(said) = ranks.with("GRIDWRIGHT_COMM_CHECKS", "1").that_go_on().run() else { return };
    for rank in [0, 1, 3] {
        let expected = format!("rank {rank}: rank 2 ended before the others");
        assert!(said.text.contains(&expected), "{}", said.text);
    }
}

#[test]
#[ignore = "a program of ranks"]
fn is_taken() -> Result<(), Error> {
    let world = World::from_env()?;
    assert_eq!(world.communicator(&world.device()?)?.engine(), EngineKind::Nccl);
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn mpi_is_taken() -> Result<(), Error> {
    let world = World::from_env()?;
    assert_eq!(world.communicator(&world.device()?)?.engine(), EngineKind::Mpi);
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn is_not_there() -> Result<(), Error> {
    let world = World::from_env()?;
    let error = world.communicator(&world.device()?).unwrap_err();
    assert!(matches!(&error, Error::EngineMissing { engine: "NCCL", .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("/nowhere/libnccl.so") && text.contains("pip install nvidia-nccl-cu13"), "{text}");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn none_for_the_cpu() -> Result<(), Error> {
    let world = World::from_env()?;
    let error = world.communicator(&Device::cpu()?).unwrap_err();
    assert!(matches!(&error, Error::NoEngine { .. }), "{error}");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn too_many_ranks() -> Result<(), Error> {
    let world = World::from_env()?;
    match (world.rank(), world.device()) {
        (0 | 1, device) => drop(device?),
        (_, device) => {
            let error = device.unwrap_err();
            assert!(matches!(error, Error::TooManyRanks { ranks: 3, devices: 2, .. }), "{error}");
        }
    }
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn one_device() -> Result<(), Error> {
    let world = World::from_env()?;
    let error = world.communicator(&world.device()?).unwrap_err();
    assert!(matches!(&error, Error::Engine { call, .. } if call == "ncclCommInitRank"), "{error}");
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn in_a_graph() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u64, 2])?;
    let captured = stream.capture(|stream| {
        let error = communicator.all_reduce_in_place(stream, &mut x, ReduceOp::Sum).unwrap_err();
        assert!(matches!(error, Error::NotForGraphs { call: "all_reduce", engine: "NCCL", .. }), "{error}");
        Ok(())
    });
    assert!(captured.is_err());
    // Nothing was called.
    communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum)?;
    assert_eq!(stream.download(&x)?, [world.size() as u64, 2 * world.size() as u64]);
    // A graph may be launched at any time, and NCCL doesn't know of it.
    let graph = stream.capture(|stream| stream.fill(&mut x, 7))?;
    let error = communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum).unwrap_err();
    assert!(matches!(error, Error::Gridwright(gridwright::Error::Interop { .. })), "{error}");
    drop(graph);
    communicator.check()
}
