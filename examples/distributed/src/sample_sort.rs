//! Numbers of all ranks are sorted: each rank sorts its own, sends each range to one rank, and sorts what it gets.

#[host_only]
use anyhow::ensure;
use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{Communicator, ReduceOp, World};
#[host_only]
use gridwright_primitives as primitives;
#[host_only]
use gridwright_primitives::operators::Less;

#[host_only]
use crate::numbers;

/// Samples of each rank, by which the ranges are chosen: the more, the more equal they are.
#[host_only]
const SAMPLES: usize = 64;

/// Numbers that look random, and differ from rank to rank.
#[gpu_kernel]
pub fn scramble(t: Thread, first: usize, mut keys: PerThread<[u32]>) {
    if let Some(key) = keys.get_mut(t) {
        let mut bits = (first + t.index()) as u32;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x7feb_352d);
        bits = (bits ^ (bits >> 15)).wrapping_mul(0x846c_a68b);
        *key = bits ^ (bits >> 16);
    }
}

/// Every so many-th key, from the middle of each stretch.
#[gpu_kernel]
pub fn pick(t: Thread, keys: &[u32], mut samples: PerThread<[u32]>) {
    let count = samples.len();
    if let Some(sample) = samples.get_mut(t) {
        *sample = keys[(2 * t.index() + 1) * keys.len() / (2 * count)];
    }
}

// ANCHOR: sort
/// Sorts the keys of all ranks. Each gets a range of them, the first rank the lowest.
#[host_only]
fn sort(communicator: &Communicator, stream: &Stream, mut keys: Buffer<u32>) -> anyhow::Result<Buffer<u32>> {
    let size = communicator.size();
    let p = primitives::on(stream);
    p.sort(&mut keys)?;

    // Where ranges end, by samples of all ranks.
    let mut samples = stream.alloc_zeroed::<u32>(SAMPLES)?;
    pick::load(stream.device())?.launch(stream, LaunchConfig::threads(SAMPLES), (&keys, &mut samples))?;
    let mut all = stream.alloc_zeroed::<u32>(SAMPLES * size)?;
    communicator.all_gather(stream, &samples, &mut all)?;
    p.sort(&mut all)?;
    let mut ends = stream.alloc_zeroed::<u64>(size * SAMPLES)?;
    p.lower_bound(&all, &keys, Less, &mut ends)?;
    let ends = stream.download(&ends)?;
    let mut sent = Vec::with_capacity(size);
    let mut start = 0;
    for rank in 1..=size {
        let end = ends.get(rank * SAMPLES).map_or(keys.len(), |&end| end as usize);
        sent.push(end - start);
        start = end;
    }

    // How many come from each rank, and then the keys.
    let counts: Vec<_> = sent.iter().map(|&count| count as u64).collect();
    let mut coming = stream.alloc_zeroed::<u64>(size)?;
    communicator.all_to_all(stream, &stream.upload(&counts)?, &mut coming)?;
    let received: Vec<_> = stream.download(&coming)?.into_iter().map(|count| count as usize).collect();
    let mut sorted = stream.alloc_zeroed(received.iter().sum())?;
    communicator.all_to_all_v(stream, &keys, &sent, &mut sorted, &received)?;
    p.sort(&mut sorted)?;
    Ok(sorted)
}
// ANCHOR_END: sort

/// The number of some keys, their sum and the sum of their squares, which a sort leaves as they are.
#[host_only]
fn sums(keys: &[u32]) -> [u64; 3] {
    keys.iter().fold([0; 3], |[count, sum, squares], &key| {
        let key = u64::from(key);
        [count + 1, sum + key, squares.wrapping_add(key.wrapping_mul(key))]
    })
}

/// Sorts, and sees that all keys are there and in order, from rank to rank.
///
/// # Errors
/// Those of the ranks; keys that are out of order or missing.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let [each] = numbers([1_000_000], "keys of each rank")?;
    let world = World::from_env()?;
    let communicator = world.communicator(&world.device()?)?;
    let (rank, device) = (communicator.rank(), communicator.device());
    let stream = device.stream()?;
    let mut keys = stream.alloc_zeroed(each)?;
    scramble::load(device)?.launch(&stream, LaunchConfig::threads(each), (rank * each, &mut keys))?;
    let before = sums(&stream.download(&keys)?);
    communicator.barrier(&stream)?;
    let started = std::time::Instant::now();
    let sorted = sort(&communicator, &stream, keys)?;
    communicator.barrier(&stream)?;
    stream.synchronize()?;
    let seconds = started.elapsed().as_secs_f64();

    let own = stream.download(&sorted)?;
    ensure!(own.is_sorted(), "rank {rank}: keys are out of order");
    let mut both = stream.upload(&[before, sums(&own)].concat())?;
    communicator.all_reduce_in_place(&stream, &mut both, ReduceOp::Sum)?;
    let both = stream.download(&both)?;
    ensure!(both[..3] == both[3..], "there were {:?}, and there are {:?}", &both[..3], &both[3..]);
    // A rank without keys is between its neighbours whatever they are.
    let ends = [own.first().copied().unwrap_or(u32::MAX), own.last().copied().unwrap_or(0)];
    let mut of_ranks = stream.alloc_zeroed(2 * communicator.size())?;
    communicator.all_gather(&stream, &stream.upload(&ends)?, &mut of_ranks)?;
    let mut highest = 0;
    for (other, ends) in stream.download(&of_ranks)?.chunks(2).enumerate() {
        ensure!(ends[0] >= highest, "rank {other} begins with {} behind {highest}", ends[0]);
        highest = highest.max(ends[1]);
    }
    if rank == 0 {
        let (ranks, count) = (communicator.size(), both[0]);
        println!("{count} keys, {ranks} ranks: {:.1} million a second", count as f64 / seconds / 1e6);
    }
    communicator.check()?;
    Ok(())
}
