//! Divided arrays, and their halos.

use gridwright::prelude::*;
use gridwright_comm::{Axes, Communicator, Distributed, Error, Partition, PartitionError, Shape, World};

use crate::launch::{Ranks, devices};

#[test]
fn halos_are_what_the_whole_array_says() {
    for ranks in [1, 2, 3, 4, 6] {
        Ranks::new(ranks, "distributed::halos").with("GRIDWRIGHT_COMM_CHECKS", "1").succeed();
    }
}

#[test]
fn halos_are_what_the_whole_array_says_without_checks() {
    Ranks::new(4, "distributed::halos").with("GRIDWRIGHT_COMM_CHECKS", "0").succeed();
}

#[test]
fn halos_of_gpus_are_what_the_whole_array_says() {
    for device in devices().into_iter().filter(|device| device != "cpu") {
        for ranks in [1, 2, 4] {
            Ranks::new(ranks, "distributed::halos").with("GRIDWRIGHT_DEVICE", &device).succeed();
        }
    }
}

#[test]
fn exchanges_in_a_graph_are_made_in_each_replay() {
    for device in devices() {
        for ranks in [1, 4] {
            // A graph can't have NCCL's calls.
            Ranks::new(ranks, "distributed::exchanges_of_a_graph")
                .with("GRIDWRIGHT_DEVICE", &device)
                .with("GRIDWRIGHT_COMM_ENGINE", "mpi")
                .succeed();
        }
    }
}

#[test]
fn what_can_not_be_divided_is_an_error_of_each_rank() {
    Ranks::new(3, "distributed::bad_partitions").succeed();
}

fn ranks() -> Result<(World, Communicator, Stream), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    Ok((world, communicator, stream))
}

/// A number of an index of the whole array, or of its border.
fn number<const AXES: usize>(index: [isize; AXES]) -> u32 {
    index.iter().fold(1, |number, &along| number * 100 + (along + 20) as u32)
}

/// Elements of a rank's memory, in order.
fn all<const AXES: usize>(x: &Distributed<u32, AXES>) -> usize
where
    Axes<AXES>: Shape,
{
    x.part().local_extents().iter().product()
}

/// What an element of a rank's memory is: its index in the whole array, whether it is the rank's own, and along how many axes it is in a halo
/// that has a neighbour.
struct Place<const AXES: usize> {
    index: [isize; AXES],
    is_own: bool,
    /// Whether a neighbour has it: no axis is beyond an end.
    is_inside: bool,
    axes: usize,
}

fn place<const AXES: usize>(
    x: &Distributed<u32, AXES>,
    at: usize,
    extents: [usize; AXES],
    is_periodic: [bool; AXES],
) -> Place<AXES>
where
    Axes<AXES>: Shape,
{
    let (part, local) = (x.part(), x.part().local_extents());
    let mut left = at;
    let mut place = Place { index: [0; AXES], is_own: true, is_inside: true, axes: 0 };
    for axis in (0..AXES).rev() {
        let (offset, halo) = (left % local[axis], part.halo()[axis]);
        left /= local[axis];
        let along = (part.starts()[axis] + offset) as isize - halo as isize;
        if offset < halo || offset >= halo + part.extents()[axis] {
            (place.is_own, place.axes) = (false, place.axes + 1);
        }
        let extent = extents[axis] as isize;
        if !is_periodic[axis] && (along < 0 || along >= extent) {
            place.is_inside = false;
        }
        place.index[axis] = if is_periodic[axis] { along.rem_euclid(extent) } else { along };
    }
    place
}

/// Exchanges an array whose halos are wrong before, by streams of its own, and looks at every element.
fn check<const AXES: usize>(
    (communicator, stream): (&Communicator, &Stream),
    extents: [usize; AXES],
    halo: [usize; AXES],
    is_periodic: [bool; AXES],
    has_corners: bool,
) -> Result<(), Error>
where
    Axes<AXES>: Shape,
{
    const WRONG: u32 = 7;
    let what = format!("{extents:?}, halo {halo:?}, {is_periodic:?}, corners: {has_corners}");
    let mut partition = Partition::new(extents).halo(halo).periodic(is_periodic);
    if !has_corners {
        partition = partition.without_corners();
    }
    // Where there is no such grid, all ranks see it.
    if partition.divide(communicator.size()).is_err() {
        return Ok(());
    }
    let filled = Distributed::from_fn(communicator, stream, partition, number)?;
    let elements = stream.download(filled.local())?;
    for (at, &element) in elements.iter().enumerate() {
        assert_eq!(element, number(place(&filled, at, extents, is_periodic).index), "{what}: element {at}");
    }

    let mut x = Distributed::<u32, AXES>::zeroed(communicator, stream, partition)?;
    let own: Vec<u32> = (0..all(&x))
        .map(|at| {
            let place = place(&x, at, extents, is_periodic);
            if place.is_own { number(place.index) } else { WRONG }
        })
        .collect();
    stream.copy(&stream.upload(&own)?, x.local_mut())?;
    let transfers = communicator.device().stream()?;
    let sum = x.exchange_during(stream, &transfers, |x| Ok(stream.download(x.local())?.len()))?;
    assert_eq!(sum, own.len());
    for (at, element) in stream.download(x.local())?.into_iter().enumerate() {
        let place = place(&x, at, extents, is_periodic);
        let is_filled = place.is_inside && (has_corners || place.axes == 1);
        let expected = if place.is_own || is_filled { number(place.index) } else { WRONG };
        assert_eq!(element, expected, "{what}: element {at} of rank {}", communicator.rank());
    }

    let root = communicator.size() - 1;
    let whole = x.gather(stream, root)?;
    assert_eq!(whole.is_some(), communicator.rank() == root);
    if let Some(whole) = whole {
        assert_eq!(whole.len(), extents.iter().product::<usize>());
        for (at, element) in whole.into_iter().enumerate() {
            let mut left = at;
            let mut index = [0; AXES];
            for axis in (0..AXES).rev() {
                (index[axis], left) = ((left % extents[axis]) as isize, left / extents[axis]);
            }
            assert_eq!(element, number(index), "{what}: element {at} of all");
        }
    }
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn halos() -> Result<(), Error> {
    let (_world, communicator, stream) = ranks()?;
    let on = (&communicator, &stream);
    for has_corners in [true, false] {
        for is_periodic in [false, true] {
            for (extent, halo) in [(12, 0), (12, 1), (13, 2), (7, 1), (6, 1)] {
                check(on, [extent], [halo], [is_periodic], has_corners)?;
            }
            for (extents, halo) in
                [([12, 8], [1, 1]), ([13, 11], [2, 1]), ([9, 12], [0, 2]), ([7, 40], [1, 3])]
            {
                check(on, extents, halo, [is_periodic, false], has_corners)?;
                check(on, extents, halo, [is_periodic; 2], has_corners)?;
            }
            for (extents, halo) in [([6, 7, 8], [1, 1, 1]), ([8, 5, 9], [2, 1, 2]), ([6, 6, 6], [1, 0, 2])] {
                check(on, extents, halo, [is_periodic; 3], has_corners)?;
                check(on, extents, halo, [false, is_periodic, true], has_corners)?;
            }
        }
    }
    communicator.check()
}

#[test]
#[ignore = "a program of ranks"]
fn exchanges_of_a_graph() -> Result<(), Error> {
    let (world, communicator, stream) = ranks()?;
    let ring = Partition::new([8, 8]).halo([1, 1]).periodic([true, true]);
    let mut x = Distributed::<u32, 2>::zeroed(&communicator, &stream, ring)?;
    let graph = stream.capture(|stream| {
        let exchanged = x.exchange(stream);
        assert!(exchanged.is_ok(), "{exchanged:?}");
        Ok(())
    })?;
    for round in 1..4 {
        stream.fill(x.local_mut(), round * 100 + world.rank() as u32)?;
        graph.launch(&stream)?;
        let above = x.parts().neighbour(world.rank(), [-1, 0]).map(|rank| round * 100 + rank as u32);
        let corner = x.parts().neighbour(world.rank(), [-1, -1]).map(|rank| round * 100 + rank as u32);
        let elements = stream.download(x.local())?;
        assert_eq!((Some(elements[1]), Some(elements[0])), (above, corner));
    }
    communicator.check()
}

#[test]
#[ignore = "a program of ranks"]
fn bad_partitions() -> Result<(), Error> {
    let (_world, communicator, stream) = ranks()?;
    let error = |partition: Partition<2>| {
        Distributed::<f32, 2>::zeroed(&communicator, &stream, partition).unwrap_err()
    };
    let of = Partition::new([9, 9]);
    let found = error(of.grid([2, 2]));
    assert!(matches!(found, Error::Partition(PartitionError::Grid { ranks: 3, .. })), "{found}");
    let found = error(Partition::new([2, 2]));
    assert!(matches!(found, Error::Partition(PartitionError::TooManyParts { parts: 3, .. })), "{found}");
    let found = error(of.halo([4, 4]));
    assert!(matches!(found, Error::Partition(PartitionError::Halo { halo: 4, smallest: 3, .. })), "{found}");
    let found = error(of.halo([usize::MAX, 0]).grid([1, 3]));
    assert!(matches!(found, Error::Partition(PartitionError::TooLarge { .. })), "{found}");

    let other = Device::cpu()?.stream()?;
    let found = Distributed::<f32, 2>::zeroed(&communicator, &other, of).unwrap_err();
    assert!(matches!(found, Error::ForeignStream { .. }), "{found}");
    let mut x = Distributed::<f32, 2>::zeroed(&communicator, &stream, of.halo([1, 1]))?;
    assert!(x.exchange(&other).is_err());
    let found = x.gather(&stream, 3).unwrap_err();
    assert!(matches!(found, Error::NoSuchRank { given: 3, .. }), "{found}");
    // None of it reached another rank.
    x.exchange(&stream)?;
    communicator.check()
}
