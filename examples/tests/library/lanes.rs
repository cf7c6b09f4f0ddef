//! Groups of lanes of a warp that have something in common.

use gridwright::prelude::*;

/// What the lanes with odd numbers make of them, and its warp's size.
#[gpu_kernel]
fn odd(g: &Group, x: &[u32], mut y: PerThread<[[u64; 16]]>, mut z: PerThread<[[u64; 8]]>) {
    g.each_warp((&mut y, &mut z), |w, (mut y, mut z)| {
        let mine = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let active = w.coalesced(&w.map(&mine, |_, x| x % 2 == 1));
        let (len, mask, size) = (active.len() as u64, active.mask(), w.size() as u64);
        let sum = active.reduce(&mine, |a, b| a + b).map_or(u64::MAX, u64::from);
        let named = active.reduce_add(&mine).map_or(u64::MAX, u64::from);
        let least = active.reduce_min(&mine).map_or(u64::MAX, u64::from);
        let last =
            if active.is_empty() { u64::MAX } else { active.broadcast(&mine, active.len() - 1).into() };
        let large = w.map(&mine, |_, x| *x > 500);
        let votes = active.ballot(&large);
        let (any, all, count) = (active.any(&large), active.all(&large), active.count(&large) as u64);
        let one = active.invoke_one(|t| t.index() as u64).unwrap_or(u64::MAX);
        w.each(z.elements_mut(), |_, z| {
            if let Some(z) = z {
                *z = [one, named, least, last, votes, any.into(), all.into(), count];
            }
        });
        let rank = active.rank();
        let (so_far, before) =
            (active.scan_inclusive(&mine, |a, b| a + b), active.scan_exclusive(&mine, 3, u32::max));
        let next = w.map(&rank, |_, rank| rank + 1);
        let of_the_next = active.shuffle(&mine, &next);
        w.each(
            (&rank, &so_far, &before, &of_the_next, y.elements_mut()),
            |_, (rank, so_far, before, next, y)| {
                if let Some(y) = y {
                    [y[0], y[1], y[2], y[3]] = [len, mask, size, sum];
                    [y[4], y[5], y[6], y[7]] = [*rank, *so_far, *before, *next].map(u64::from);
                }
            },
        );
    });
}

/// What lanes with the same label make of their numbers.
#[gpu_kernel]
fn labels(g: &Group, x: &[u32], by: u32, mut y: PerThread<[[u64; 16]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let mine = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let groups = w.labeled_partition(&w.map(&mine, |_, x| u64::from(x % by) << 33));
        let (len, rank, sum) = (groups.len(), groups.rank(), groups.reduce(&mine, |a, b| a + b));
        let (least, first) = (groups.reduce_min(&mine), groups.broadcast(&mine, 0));
        w.each((groups.masks(), &len, &rank, &sum, &least, &first, y.elements_mut()), |_, items| {
            if let (mask, len, rank, sum, least, first, Some(y)) = items {
                [y[0], y[1], y[2], y[3]] = [*mask, u64::from(*len), u64::from(*rank), u64::from(*sum)];
                [y[4], y[5]] = [*least, *first].map(u64::from);
            }
        });
        let (so_far, before) =
            (groups.scan_inclusive(&mine, |a, b| a + b), groups.scan_exclusive(&mine, 3, u32::max));
        let (third, large) = (groups.broadcast(&mine, 2), w.map(&mine, |_, x| *x > 500));
        let (any, all) = (groups.any(&large), groups.all(&large));
        let (count, votes) = (groups.count(&large), groups.ballot(&large));
        let size = w.size() as u64;
        w.each((&so_far, &before, &third, &any, &all, &count, &votes, y.elements_mut()), |_, items| {
            if let (so_far, before, third, any, all, count, votes, Some(y)) = items {
                [y[6], y[7], y[8], y[9]] = [u64::from(*so_far), u64::from(*before), u64::from(*third), size];
                [y[10], y[11], y[12], y[13]] = [(*any).into(), (*all).into(), u64::from(*count), *votes];
            }
        });
    });
}

/// CUDA's sample binaryPartitionCG: how many are odd, and the sums of the odd and of the even ones, by one update for each of
/// the two in each tile of 32 lanes.
#[gpu_kernel]
fn odd_even(g: &Group, x: &[u32], totals: Atomic<[u32]>) {
    g.tiled::<32>().each_tile((), |tile, ()| {
        let mine = tile.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let odd = tile.map(&mine, |_, x| x % 2 == 1);
        let groups = tile.binary_partition(&odd);
        let sums = groups.reduce_add(&mine);
        tile.each((&odd, &groups.rank(), &groups.len(), &sums), |t, (odd, rank, len, sum)| {
            if *rank == 0 && *odd {
                totals.fetch_add(t, 0, *len);
                totals.fetch_add(t, 1, *sum);
            } else if *rank == 0 {
                totals.fetch_add(t, 2, *sum);
            }
        });
    });
}

#[gpu_kernel(block = 32)]
fn no_such_rank(g: &Group, rank: u32, found: Atomic<[u32]>) {
    g.each_warp((), |w, ()| {
        let mine = w.map((), |t, ()| t.index() as u32);
        let active = w.coalesced(&w.map(&mine, |_, x| x % 4 == 3));
        let theirs = active.broadcast(&mine, rank as usize);
        w.invoke_one(|t| found.exchange(t, 0, theirs));
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::device;
    use gridwright::Error;

    type Result = std::result::Result<(), Error>;

    fn numbers(n: usize) -> Vec<u32> {
        (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009).collect()
    }

    /// The lanes of a warp that hold, as numbers, and as a mask.
    fn lanes(warp: &[u32], holds: impl Fn(u32) -> bool) -> (Vec<usize>, u64) {
        let lanes: Vec<usize> = (0..warp.len()).filter(|&lane| holds(warp[lane])).collect();
        let mask = lanes.iter().fold(0, |mask, lane| mask | 1 << lane);
        (lanes, mask)
    }

    #[test]
    fn the_active_lanes_are_a_group() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let mut host = numbers(150);
        host[32..64].fill(6); // nobody
        host[75..107].fill(9); // all
        let x = stream.upload(&host)?;
        let (mut y, mut z) = (stream.alloc_zeroed::<[u64; 16]>(150)?, stream.alloc_zeroed::<[u64; 8]>(150)?);
        odd::load(&device)?.launch(&stream, LaunchConfig::grid(2, 75), (&x, &mut y, &mut z))?;
        let (y, z) = (stream.download(&y)?, stream.download(&z)?);
        let size = y[0][2] as usize;
        for group in [0, 75] {
            for first in (group..group + 75).step_by(size) {
                let warp = &host[first..(first + size).min(group + 75)];
                let (odd, mask) = lanes(warp, |x| x % 2 == 1);
                let values: Vec<u64> = odd.iter().map(|&lane| warp[lane].into()).collect();
                let sum = if values.is_empty() { u64::MAX } else { values.iter().sum() };
                let large = |x: &&u64| **x > 500;
                let votes =
                    (0..).zip(&values).fold(0, |votes, (rank, x)| votes | u64::from(*x > 500) << rank);
                let count = values.iter().filter(large).count();
                let of_warp = [
                    odd.first().map_or(u64::MAX, |lane| (first + lane) as u64),
                    sum,
                    values.iter().copied().min().unwrap_or(u64::MAX),
                    values.last().copied().unwrap_or(u64::MAX),
                    votes,
                    (count > 0).into(),
                    (count == values.len()).into(),
                    count as u64,
                ];
                for lane in 0..warp.len() {
                    let (y, z) = (y[first + lane], z[first + lane]);
                    assert_eq!(z, of_warp, "{first}");
                    assert_eq!(y[..4], [odd.len() as u64, mask, size as u64, sum], "{first} {lane}");
                    if let Some(rank) = odd.iter().position(|&other| other == lane) {
                        let before = values[..rank].iter().copied().fold(3, u64::max);
                        let next = *values.get(rank + 1).unwrap_or(&values[rank]);
                        let mine = [rank as u64, values[..=rank].iter().sum(), before, next];
                        assert_eq!(y[4..8], mine, "{first} {lane}");
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn lanes_of_one_label_are_a_group() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let host = numbers(150);
        let x = stream.upload(&host)?;
        let kernel = labels::load(&device)?;
        for by in [1, 2, 5, 1009] {
            let mut y = stream.alloc_zeroed::<[u64; 16]>(150)?;
            kernel.launch(&stream, LaunchConfig::grid(2, 75), (&x, by, &mut y))?;
            let y = stream.download(&y)?;
            let size = y[0][9] as usize;
            for group in [0, 75] {
                for first in (group..group + 75).step_by(size) {
                    let warp = &host[first..(first + size).min(group + 75)];
                    for lane in 0..warp.len() {
                        let (with, mask) = lanes(warp, |x| x % by == warp[lane] % by);
                        let values: Vec<u64> = with.iter().map(|&lane| warp[lane].into()).collect();
                        let rank = with.iter().position(|&other| other == lane).expect("it is one of them");
                        let votes = (0..)
                            .zip(&values)
                            .fold(0, |votes, (rank, x)| votes | u64::from(*x > 500) << rank);
                        let expected = [
                            mask,
                            with.len() as u64,
                            rank as u64,
                            values.iter().sum(),
                            *values.iter().min().expect("one"),
                            values[0],
                            values[..=rank].iter().sum(),
                            values[..rank].iter().copied().fold(3, u64::max),
                            *values.get(2).unwrap_or(&values[rank]),
                            size as u64,
                            (votes != 0).into(),
                            (votes.count_ones() as usize == values.len()).into(),
                            votes.count_ones().into(),
                            votes,
                        ];
                        assert_eq!(y[first + lane][..14], expected, "{first} {lane} by {by}");
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_partition_of_two_sums_both() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let host = numbers(1000);
        let mut totals = stream.alloc_zeroed::<u32>(3)?;
        let arguments = (&stream.upload(&host)?, &mut totals);
        odd_even::load(&device)?.launch(&stream, LaunchConfig::threads(1000).block(96), arguments)?;
        let odd: Vec<u32> = host.iter().copied().filter(|x| x % 2 == 1).collect();
        let sum: u32 = odd.iter().sum();
        assert_eq!(stream.download(&totals)?, [odd.len() as u32, sum, host.iter().sum::<u32>() - sum]);
        Ok(())
    }

    #[test]
    fn a_rank_beyond_the_group_is_a_panic() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = no_such_rank::load(&device)?;
        let mut found = stream.alloc_zeroed::<u32>(1)?;
        kernel.launch(&stream, LaunchConfig::threads(32), (7, &mut found))?;
        assert_eq!(stream.download(&found)?, [31]);
        kernel.launch(&stream, LaunchConfig::threads(32), (8, &mut found))?;
        let error = stream.synchronize().expect_err("eight lanes are active");
        assert!(error.to_string().contains(" in a group of "), "{error}"); // a GPU leaves values out
        Ok(())
    }
}
