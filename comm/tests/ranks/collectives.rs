//! Every call, against what it should give.

use gridwright::prelude::*;
use gridwright_comm::{Communicator, EngineKind, Error, ReduceOp, World};

use crate::launch::{Ranks, devices};

/// Lengths below, at and above what engines treat otherwise.
const LENGTHS: [usize; 7] = [0, 1, 7, 256, 1000, 65_537, 1 << 21];

#[test]
fn every_call_gives_what_it_should_with_checks() {
    for ranks in [1, 2, 3, 4] {
        Ranks::new(ranks, "collectives::every_call").with("GRIDWRIGHT_COMM_CHECKS", "1").succeed();
    }
}

#[test]
fn every_call_gives_on_gpus_what_it_should() {
    for device in devices() {
        let ranks = Ranks::new(3, "collectives::every_call").with("GRIDWRIGHT_DEVICE", device);
        ranks.with("GRIDWRIGHT_COMM_CHECKS", "1").succeed();
    }
}

#[test]
fn every_call_gives_what_it_should_without_checks() {
    for ranks in [1, 2, 4] {
        Ranks::new(ranks, "collectives::every_call").with("GRIDWRIGHT_COMM_CHECKS", "0").succeed();
    }
}

#[test]
fn calls_in_a_graph_are_made_in_each_replay() {
    for device in devices() {
        for checks in ["0", "1"] {
            let ranks =
                Ranks::new(3, "collectives::calls_of_a_graph").with("GRIDWRIGHT_DEVICE", device.as_str());
            // A graph can't have NCCL's calls.
            ranks.with("GRIDWRIGHT_COMM_CHECKS", checks).with("GRIDWRIGHT_COMM_ENGINE", "mpi").succeed();
        }
    }
}

#[test]
fn calls_on_several_streams_come_in_the_order_in_which_they_are_made() {
    for device in devices() {
        Ranks::new(3, "collectives::several_streams").with("GRIDWRIGHT_DEVICE", device).succeed();
    }
}

#[test]
fn a_communicator_keeps_its_world() {
    for checks in ["0", "1"] {
        Ranks::new(3, "collectives::without_the_world").with("GRIDWRIGHT_COMM_CHECKS", checks).succeed();
    }
}

#[test]
#[ignore = "a program of ranks"]
fn without_the_world() -> Result<(), Error> {
    let device = Device::cpu()?;
    let communicator = World::from_env()?.communicator(&device)?;
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u32])?;
    communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum)?;
    assert_eq!(stream.download(&x)?, [3]);
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn every_call() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    assert_eq!(communicator.engine() == EngineKind::None, std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none());
    let stream = device.stream()?;
    for len in LENGTHS {
        reductions(&communicator, &stream, len)?;
        copies(&communicator, &stream, len)?;
        exchanges(&communicator, &stream, len)?;
    }
    communicator.barrier(&stream)?;
    communicator.check()
}

/// Element `i` of a rank's, small enough for sums and products of any type to be exact.
fn element(rank: usize, i: usize) -> f32 {
    ((i * 7 + rank * 3) % 5) as f32
}

fn elements(rank: usize, len: usize) -> Vec<f32> {
    (0..len).map(|i| element(rank, i)).collect()
}

fn reduced(size: usize, i: usize, op: ReduceOp) -> f32 {
    let of_ranks = (0..size).map(|rank| element(rank, i));
    let folded = match op {
        ReduceOp::Sum => of_ranks.reduce(|a, b| a + b),
        ReduceOp::Product => of_ranks.reduce(|a, b| a * b),
        ReduceOp::Minimum => of_ranks.reduce(f32::min),
        ReduceOp::Maximum => of_ranks.reduce(f32::max),
    };
    folded.unwrap()
}

fn reductions(communicator: &Communicator, stream: &Stream, len: usize) -> Result<(), Error> {
    let (rank, size) = (communicator.rank(), communicator.size());
    let x = stream.upload(&elements(rank, len))?;
    for op in [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Minimum, ReduceOp::Maximum] {
        let expected: Vec<_> = (0..len).map(|i| reduced(size, i, op)).collect();
        let mut y = stream.alloc_zeroed(len)?;
        communicator.all_reduce(stream, &x, &mut y, op)?;
        assert_eq!(stream.download(&y)?, expected);

        let mut in_place = stream.upload(&elements(rank, len))?;
        communicator.all_reduce_in_place(stream, &mut in_place, op)?;
        assert_eq!(stream.download(&in_place)?, expected);

        let root = size - 1;
        let mut at_root = stream.upload(&vec![-1.0; if rank == root { len } else { 2 }])?;
        communicator.reduce(stream, &x, &mut at_root, op, root)?;
        let at_root = stream.download(&at_root)?;
        assert_eq!(at_root, if rank == root { expected.clone() } else { vec![-1.0; 2] });

        let whole = stream.upload(&elements(rank, len * size))?;
        let mut part = stream.alloc_zeroed(len)?;
        communicator.reduce_scatter(stream, &whole, &mut part, op)?;
        let expected: Vec<_> = (rank * len..(rank + 1) * len).map(|i| reduced(size, i, op)).collect();
        assert_eq!(stream.download(&part)?, expected);
    }
    Ok(())
}

fn copies(communicator: &Communicator, stream: &Stream, len: usize) -> Result<(), Error> {
    let (rank, size) = (communicator.rank(), communicator.size());
    let root = len % size;
    let mut x = stream.upload(&elements(rank, len))?;
    communicator.broadcast(stream, &mut x, root)?;
    assert_eq!(stream.download(&x)?, elements(root, len));

    let x = stream.upload(&elements(rank, len))?;
    let mut whole = stream.alloc_zeroed(len * size)?;
    communicator.all_gather(stream, &x, &mut whole)?;
    let expected: Vec<_> = (0..size).flat_map(|rank| elements(rank, len)).collect();
    assert_eq!(stream.download(&whole)?, expected);
    Ok(())
}

fn exchanges(communicator: &Communicator, stream: &Stream, len: usize) -> Result<(), Error> {
    let (rank, size) = (communicator.rank(), communicator.size());
    // Of three bytes, so that nothing is a multiple of a wider unit.
    let mine: Vec<[u8; 3]> = (0..len * size).map(|i| [rank as u8, i as u8, (i >> 8) as u8]).collect();
    let x = stream.upload(&mine)?;
    let mut y = stream.alloc_zeroed(len * size)?;
    communicator.all_to_all(stream, &x, &mut y)?;
    let expected: Vec<_> = (0..size)
        .flat_map(|from| (rank * len..(rank + 1) * len).map(move |i| [from as u8, i as u8, (i >> 8) as u8]))
        .collect();
    assert_eq!(stream.download(&y)?, expected);

    let count = |from: usize, to: usize| (from * 5 + to * 3 + len) % 11;
    let sent: Vec<_> = (0..size).map(|to| count(rank, to)).collect();
    let received: Vec<_> = (0..size).map(|from| count(from, rank)).collect();
    let all = |from: usize, to: usize| (0..count(from, to)).map(move |i| [from as u16, to as u16, i as u16]);
    let x: Vec<_> = (0..size).flat_map(|to| all(rank, to)).collect();
    let mut y = stream.alloc_zeroed(received.iter().sum())?;
    communicator.all_to_all_v(stream, &stream.upload(&x)?, &sent, &mut y, &received)?;
    assert_eq!(stream.download(&y)?, (0..size).flat_map(|from| all(from, rank)).collect::<Vec<_>>());

    let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
    let x = stream.upload(&elements(rank, len))?;
    let mut y = stream.alloc_zeroed::<f32>(len)?;
    let mut both = stream.alloc_zeroed::<u64>(2)?;
    let own = stream.upload(&[rank as u64])?;
    let (mut first, mut second) = both.split_at_mut(1)?;
    communicator.group(stream, |messages| {
        messages.receive(&mut y, last)?;
        messages.receive(&mut first, next)?;
        messages.receive(&mut second, rank)?;
        messages.send(&x, next)?;
        messages.send(&own, last)?;
        messages.send(&own, rank)
    })?;
    assert_eq!(stream.download(&y)?, elements(last, len));
    if size > 2 {
        assert_eq!(stream.download(&both)?, [next as u64, rank as u64]);
    }

    if size > 1 {
        let mut z = stream.upload(&elements(rank, len))?;
        match rank {
            0 => communicator.send(stream, &z, 1)?,
            1 => communicator.receive(stream, &mut z, 0)?,
            _ => {}
        }
        assert_eq!(stream.download(&z)?, elements(if rank == 1 { 0 } else { rank }, len));
    }
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn calls_of_a_graph() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u64, 2])?;
    let mut y = stream.alloc_zeroed::<u64>(2)?;
    let graph = stream.capture(|stream| {
        let sent = communicator
            .all_reduce(stream, &x, &mut y, ReduceOp::Sum)
            .and_then(|()| communicator.all_reduce(stream, &y, &mut x, ReduceOp::Sum));
        assert!(sent.is_ok(), "{sent:?}");
        Ok(())
    })?;
    for _ in 0..3 {
        graph.launch(&stream)?;
    }
    let factor = (world.size() as u64).pow(6);
    assert_eq!(stream.download(&x)?, [factor, 2 * factor]);
    communicator.check()
}

#[test]
#[ignore = "a program of ranks"]
fn several_streams() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let streams = [device.stream()?, device.stream()?, device.stream()?];
    let len = |call: usize| 1 + call * 37 % 1000;
    let mut all = Vec::new();
    for call in 0..30 {
        // Each rank has its own idea of which stream is whose.
        let stream = &streams[(call + world.rank()) % streams.len()];
        let mut x = stream.upload(&vec![call as u64; len(call)])?;
        communicator.all_reduce_in_place(stream, &mut x, ReduceOp::Sum)?;
        all.push(x);
    }
    for (call, x) in all.iter().enumerate() {
        let x = streams[0].download(x)?;
        assert!(x.len() == len(call) && x.iter().all(|&x| x == (call * world.size()) as u64), "{call}");
    }
    communicator.check()
}
