//! One helper at every level: a group, a warp, a tile, coalesced lanes, a cluster and a grid; and parts of levels side by side.

#![allow(clippy::unwrap_used, clippy::expect_used)] // each thread has an element, and each level a thread

use gridwright::Level;
use gridwright::level::{Collective, Given, Lanes};
use gridwright::prelude::*;

/// What a level computes of its threads' values, all that a helper can ask for.
fn facts(level: &impl Level, values: &Private<u32>) -> [u32; 8] {
    let last = level.len() - 1;
    let (with_own, before) =
        (level.scan_inclusive(values, |a, b| a + b), level.scan_exclusive(values, 7, |a, b| a + b));
    [
        level.len() as u32,
        level.reduce(values, |a, b| a + b),
        level.reduce_max(values),
        level.broadcast(&with_own, last / 2),
        level.broadcast(&before, last),
        level.broadcast(values, last / 3),
        level.broadcast(&level.rank(), last),
        level.reduce_xor(&level.private(5)),
    ]
}

/// What parts of a level, or a level, give for values: the sum, and whether one is beyond a bound.
fn sum<L: Collective>(level: &L, values: &Private<u32>) -> Given<L, u32> {
    level.reduce(values, |a, b| a + b)
}

/// What lanes get of others: of the one before, and of the one whose number differs in the lowest bit.
fn exchanged<L: Lanes>(lanes: &L, values: &Private<u32>) -> (L::Private<u32>, L::Private<u32>) {
    (lanes.shuffle_up(values, 1), lanes.shuffle_xor(values, 1))
}

#[gpu_kernel]
fn of_groups(
    g: &Group,
    x: &[u32],
    mut of_group: PerThread<[[u32; 8]]>,
    mut of_warp: PerThread<[[u32; 8]]>,
    mut of_tile: PerThread<[[u32; 8]]>,
    mut of_active: PerThread<[[u32; 8]]>,
) {
    let mine = g.map((), |t, ()| x[t.index()]);
    let facts_of_group = facts(g, &mine);
    g.each(of_group.elements_mut(), |_, y| *y.unwrap() = facts_of_group);
    g.each_warp((&mine, &mut of_warp, &mut of_active), |w, (mine, mut of_warp, mut of_active)| {
        let facts_of_warp = facts(w, mine);
        w.each(of_warp.elements_mut(), |_, y| *y.unwrap() = facts_of_warp);
        let active = w.coalesced(&w.map(mine, |_, x| x % 3 == 0));
        if !active.is_empty() {
            let facts_of_active = facts(&active, mine);
            w.each(of_active.elements_mut(), |_, y| *y.unwrap() = facts_of_active);
        }
    });
    g.tiled::<8>().each_tile((&mine, &mut of_tile), |tile, (mine, mut of_tile)| {
        let facts_of_tile = facts(tile, mine);
        tile.each(of_tile.elements_mut(), |_, y| *y.unwrap() = facts_of_tile);
    });
}

#[gpu_kernel]
fn of_a_grid(grid: &Grid, x: &[u32], mut of_grid: PerThread<[[u32; 8]]>, mut votes: PerThread<[[u32; 3]]>) {
    let mine = grid.map((), |t, ()| x[t.index()]);
    let facts = facts(grid, &mine);
    grid.each(of_grid.elements_mut(), |_, y| *y.unwrap() = facts);
    let odd = grid.map(&mine, |_, x| x % 2 == 1);
    let of_odd = [grid.any(&odd) as u32, grid.all(&odd) as u32, grid.count(&odd) as u32];
    grid.each(votes.elements_mut(), |_, y| *y.unwrap() = of_odd);
}

#[gpu_kernel]
fn of_clusters(
    cluster: &Cluster,
    x: &[u32],
    mut of_cluster: PerThread<[[u32; 8]]>,
    mut votes: PerThread<[[u32; 3]]>,
) {
    let (mut mine, mut odd) = (cluster.private(0_u32), cluster.private(false));
    cluster.each_group((&mut mine, &mut odd), |g, (mut mine, mut odd)| {
        g.each((&mut mine, &mut odd), |t, (mine, odd)| {
            *mine = x[t.index()];
            *odd = x[t.index()] % 2 == 1;
        });
    });
    let facts = facts(cluster, &mine);
    let of_odd = [cluster.any(&odd) as u32, cluster.all(&odd) as u32, cluster.count(&odd) as u32];
    cluster.each_group((&mut of_cluster, &mut votes), |g, (mut of_cluster, mut votes)| {
        g.each((of_cluster.elements_mut(), votes.elements_mut()), |_, (y, votes)| {
            *y.unwrap() = facts;
            *votes.unwrap() = of_odd;
        });
    });
}

/// For each thread: the sums of its group, its tile and its part of a partition, and what its lane exchanges in its warp, its tile
/// and its part.
#[gpu_kernel]
fn of_parts(g: &Group, x: &[u32], mut y: PerThread<[[u32; 9]]>) {
    let mine = g.map((), |t, ()| x[t.index()]);
    let (of_group, of_tile) = (sum(g, &mine), sum(&g.tiled::<4>(), &mine));
    let (up, xor) = exchanged(g, &mine);
    let (up_in_tile, xor_in_tile) = exchanged(&g.tiled::<4>(), &mine);
    let tile = g.tiled::<4>().len();
    g.each_warp((&mine, &of_tile, &up, &xor, &up_in_tile, &xor_in_tile, &tile, &mut y), |w, items| {
        let (mine, of_tile, up, xor, up_in_tile, xor_in_tile, tile, mut y) = items;
        let partition = w.binary_partition(&w.map(mine, |_, x| x % 3 == 0));
        let of_part = sum(&partition, mine);
        let (up_in_part, xor_in_part) = exchanged(&partition, mine);
        w.each((y.elements_mut(), of_tile, up, xor, up_in_tile, xor_in_tile, tile), |_, items| {
            let (y, of_tile, up, xor, up_in_tile, xor_in_tile, tile) = items;
            let y = y.unwrap();
            *y = [of_group, *of_tile, *up, *xor, *up_in_tile, *xor_in_tile, *tile, y[7], y[8]];
        });
        w.each((y.elements_mut(), &of_part, &up_in_part, &xor_in_part), |_, (y, of_part, up, xor)| {
            let y = y.unwrap();
            y[7] = of_part.wrapping_mul(31).wrapping_add(*up);
            y[8] = *xor;
        });
    });
}

/// Each tile of a warp writes to its own part of memory of the warp's.
#[gpu_kernel]
fn slots_of_tiles(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut memory: Workgroup<[u32]>) {
    let mine = g.map((), |t, ()| x[t.index()]);
    g.each_warp((&mine, memory.warp_chunks_mut(g.warp_size() / 8), &mut y), |w, (mine, mut slots, mut y)| {
        w.tiled::<8>().each_tile((mine, slots.reborrow().warp_chunks_mut(1)), |tile, (mine, mut slot)| {
            tile.set(&mut slot, 0, tile.reduce(mine, |a, b| a + b));
        });
        w.each((slots.shared(), y.elements_mut()), |t, (slots, y)| *y.unwrap() = slots[t.lane() / 8]);
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use gridwright::{DeviceKind, Error, LaunchConfig};

    use super::*;
    use crate::device;

    type Result<T = ()> = std::result::Result<T, Error>;

    fn numbers(len: usize) -> Vec<u32> {
        (0..len).map(|i| (i * i * 37 % 101) as u32).collect()
    }

    /// What [`facts`] are, of the values of one level.
    fn expected(values: &[u32]) -> [u32; 8] {
        let (len, last) = (values.len() as u32, values.len() - 1);
        [
            len,
            values.iter().sum(),
            *values.iter().max().expect("a level has a thread"),
            values[..=last / 2].iter().sum(),
            7 + values[..last].iter().sum::<u32>(),
            values[last / 3],
            len - 1,
            if len % 2 == 1 { 5 } else { 0 },
        ]
    }

    /// The facts of each run of `size` threads of each group, for each thread.
    fn of_runs(values: &[u32], group: usize, size: usize) -> Vec<[u32; 8]> {
        let groups = values.chunks(group);
        groups.flat_map(|group| group.chunks(size)).flat_map(|run| vec![expected(run); run.len()]).collect()
    }

    #[test]
    fn a_helper_takes_a_group_a_warp_a_tile_and_coalesced_lanes() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for block in [1, 24, 64, 150] {
            let values = numbers(2 * block);
            let x = stream.upload(&values)?;
            let mut results = Vec::new();
            for _ in 0..4 {
                results.push(stream.upload(&vec![[9_u32; 8]; values.len()])?);
            }
            let [of_group, of_warp, of_tile, of_active] = &mut results[..] else { unreachable!() };
            let arguments = (&x, &mut *of_group, &mut *of_warp, &mut *of_tile, &mut *of_active);
            of_groups::load(&device)?.launch(&stream, LaunchConfig::grid(2, block), arguments)?;
            assert_eq!(stream.download(of_group)?, of_runs(&values, block, block), "groups of {block}");
            assert_eq!(stream.download(of_tile)?, of_runs(&values, block, 8), "tiles of {block}");
            let of_warp = stream.download(of_warp)?;
            let lanes = device.limits().warp_size;
            assert_eq!(of_warp, of_runs(&values, block, lanes), "warps of {block}");
            let of_active = stream.download(of_active)?;
            let warps = values.chunks(block).flat_map(|group| group.chunks(lanes));
            for (warp, facts) in warps.scan(0, |first, warp| {
                *first += warp.len();
                Some((warp, &of_active[*first - warp.len()..*first]))
            }) {
                let active: Vec<u32> = warp.iter().copied().filter(|x| x % 3 == 0).collect();
                let facts_of_active = if active.is_empty() { [9; 8] } else { expected(&active) };
                assert!(facts.iter().all(|facts| *facts == facts_of_active), "{facts:?} {facts_of_active:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn a_helper_takes_a_grid() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for (groups, block) in [(1, 1), (1, 70), (3, 50), (4, 64)] {
            let values = numbers(groups * block);
            let x = stream.upload(&values)?;
            let (mut y, mut votes) = (
                stream.alloc_zeroed::<[u32; 8]>(values.len())?,
                stream.alloc_zeroed::<[u32; 3]>(values.len())?,
            );
            let config = LaunchConfig::grid(groups, block);
            of_a_grid::load(&device)?.launch(&stream, config, (&x, &mut y, &mut votes))?;
            assert_eq!(
                stream.download(&y)?,
                of_runs(&values, values.len(), values.len()),
                "{groups} {block}"
            );
            assert_eq!(stream.download(&votes)?, vec![of_odd(&values); values.len()], "{groups} {block}");
        }
        Ok(())
    }

    fn of_odd(values: &[u32]) -> [u32; 3] {
        let odd = values.iter().filter(|x| *x % 2 == 1).count();
        [u32::from(odd > 0), u32::from(odd == values.len()), odd as u32]
    }

    #[test]
    fn a_helper_takes_a_cluster() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for (size, block) in [(1, 1), (1, 70), (2, 50), (4, 64)] {
            let values = numbers(3 * size * block);
            let x = stream.upload(&values)?;
            let (mut y, mut votes) = (
                stream.alloc_zeroed::<[u32; 8]>(values.len())?,
                stream.alloc_zeroed::<[u32; 3]>(values.len())?,
            );
            let config = LaunchConfig::grid(3 * size, block).cluster(size);
            match of_clusters::load(&device)?.launch(&stream, config, (&x, &mut y, &mut votes)) {
                Ok(()) => {}
                Err(error @ Error::AttributeUnsupported { .. }) => {
                    // A GPU without clusters has clusters of one.
                    assert!(size > 1 && device.kind() != DeviceKind::Cpu, "{error}");
                    continue;
                }
                Err(error) => return Err(error),
            }
            let cluster = size * block;
            assert_eq!(stream.download(&y)?, of_runs(&values, cluster, cluster), "{size} {block}");
            let expected = values.chunks(cluster).flat_map(|cluster| vec![of_odd(cluster); cluster.len()]);
            assert!(stream.download(&votes)?.into_iter().eq(expected), "{size} {block}");
        }
        Ok(())
    }

    #[test]
    fn parts_of_a_level_give_each_thread_its_own() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let (groups, block) = (2, 30); // one warp, of every device
        let values = numbers(groups * block);
        let mut y = stream.alloc_zeroed::<[u32; 9]>(values.len())?;
        let arguments = (&stream.upload(&values)?, &mut y);
        of_parts::load(&device)?.launch(&stream, LaunchConfig::grid(groups, block), arguments)?;
        let y = stream.download(&y)?;
        for (values, y) in values.chunks(block).zip(y.chunks(block)) {
            for (i, y) in y.iter().enumerate() {
                let of = |place: Option<usize>, run: &[u32], own: usize| {
                    place.and_then(|place| run.get(place)).copied().unwrap_or(run[own])
                };
                let exchanged =
                    |run: &[u32], own: usize| [of(own.checked_sub(1), run, own), of(Some(own ^ 1), run, own)];
                let tile = &values[i / 4 * 4..values.len().min(i / 4 * 4 + 4)];
                let is_in_part = |x: &u32| x.is_multiple_of(3) == (values[i] % 3 == 0);
                let part: Vec<u32> = values.iter().copied().filter(is_in_part).collect();
                let rank = values[..i].iter().filter(|x| is_in_part(x)).count();
                let ([up, xor], [up_in_tile, xor_in_tile]) = (exchanged(values, i), exchanged(tile, i % 4));
                let [up_in_part, xor_in_part] = exchanged(&part, rank);
                let sum = |run: &[u32]| run.iter().sum::<u32>();
                let of_part = sum(&part).wrapping_mul(31).wrapping_add(up_in_part);
                let expected = [
                    sum(values),
                    sum(tile),
                    up,
                    xor,
                    up_in_tile,
                    xor_in_tile,
                    tile.len() as u32,
                    of_part,
                    xor_in_part,
                ];
                assert_eq!(*y, expected, "{i}");
            }
        }
        Ok(())
    }

    #[test]
    fn each_tile_of_a_warp_has_its_part_of_the_warps_memory_and_no_other() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        for block in [8, 64, 84] {
            let values = numbers(2 * block);
            let mut y = stream.alloc_zeroed::<u32>(values.len())?;
            let arguments = (&stream.upload(&values)?, &mut y);
            let config = LaunchConfig::grid(2, block).workgroup::<u32>(block.div_ceil(8));
            slots_of_tiles::load(&device)?.launch(&stream, config, arguments)?;
            let expected = values.chunks(block).flat_map(|group| {
                group.chunks(8).flat_map(|tile| vec![tile.iter().sum::<u32>(); tile.len()])
            });
            assert!(stream.download(&y)?.into_iter().eq(expected), "{block}");
        }
        Ok(())
    }

    #[test]
    fn memory_of_a_warp_that_has_too_few_parts_for_its_tiles_is_a_panic() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let mut y = stream.alloc_zeroed::<u32>(16)?;
        // Half a warp has two tiles, and one slot.
        let arguments = (&stream.upload(&numbers(16))?, &mut y);
        let config = LaunchConfig::grid(1, 16).workgroup::<u32>(1);
        slots_of_tiles::load(&device)?.launch(&stream, config, arguments)?;
        let result = stream.synchronize();
        assert!(matches!(result, Err(Error::KernelPanic { .. })), "{result:?}");
        Ok(())
    }
}
