//! Tiles of warps.

use gridwright::prelude::*;
use gridwright::warp::{LaneCount, LaneTileSize};

/// What the collectives of tiles of `N` lanes give each thread.
#[inline(always)]
fn collectives<S: GroupShape, const N: usize>(
    g: &Group<'_, S>,
    x: &[u32],
    y: &mut PerThread<'_, [[u64; 16]]>,
    z: &mut PerThread<'_, [[i32; 6]]>,
) where
    LaneCount<N>: LaneTileSize,
{
    let tiles = g.tiled::<N>();
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let (odd, low) = (g.map(&mine, |_, x| x % 2 == 1), g.map(&mine, |_, x| u64::from(x % 4)));
    let lanes = g.map(&mine, |_, x| x % 40);
    let sum = tiles.reduce(&mine, |a, b| a + b);
    let (so_far, before) =
        (tiles.scan_inclusive(&mine, |a, b| a + b), tiles.scan_exclusive(&mine, 7, u32::max));
    let (first, named) = (tiles.broadcast(&mine, 0), tiles.shuffle(&mine, &lanes));
    let (other, next) = (tiles.shuffle_xor(&mine, 1), tiles.shuffle_down(&mine, 1));
    g.each((&sum, &so_far, &before, &first, &named, &other, &next, y.elements_mut()), |_, items| {
        if let (sum, so_far, before, first, named, other, next, Some(y)) = items {
            [y[0], y[1], y[2], y[3]] = [*sum, *so_far, *before, *first].map(u64::from);
            [y[4], y[5], y[6]] = [*named, *other, *next].map(u64::from);
        }
    });
    let (previous, votes, same) = (tiles.shuffle_up(&mine, 2), tiles.ballot(&odd), tiles.match_any(&low));
    let (any, all, count) = (tiles.any(&odd), tiles.all(&odd), tiles.count(&odd));
    g.each((&previous, &votes, &same, &any, &all, &count, y.elements_mut()), |_, items| {
        if let (previous, votes, same, any, all, count, Some(y)) = items {
            [y[7], y[8], y[9], y[10]] = [u64::from(*previous), *votes, *same, (*any).into()];
            [y[11], y[12]] = [(*all).into(), (*count).into()];
        }
    });
    let signed = g.map(&mine, |_, x| *x as i32 - 500);
    let (add, min, max) = (tiles.reduce_add(&signed), tiles.reduce_min(&signed), tiles.reduce_max(&signed));
    let (and, or, xor) = (tiles.reduce_and(&signed), tiles.reduce_or(&signed), tiles.reduce_xor(&signed));
    g.each((&add, &min, &max, &and, &or, &xor, z.elements_mut()), |_, (add, min, max, and, or, xor, z)| {
        if let Some(z) = z {
            *z = [*add, *min, *max, *and, *or, *xor];
        }
    });
    let unsigned = g.map(&signed, |_, x| *x as u32);
    let wide = g.map(&signed, |_, x| i64::from(*x) << 20);
    let (min, max) = (tiles.reduce_min(&unsigned), tiles.reduce_max(&unsigned));
    let wide = tiles.reduce_add(&wide);
    g.each((&min, &max, &wide, y.elements_mut()), |_, (min, max, wide, y)| {
        if let Some(y) = y {
            [y[13], y[14], y[15]] = [u64::from(*min), u64::from(*max), *wide as u64];
        }
    });
}

macro_rules! kernels {
    ($($name:ident $lanes:literal;)*) => {$(
        #[gpu_kernel]
        fn $name(g: &Group, x: &[u32], mut y: PerThread<[[u64; 16]]>, mut z: PerThread<[[i32; 6]]>) {
            collectives::<_, $lanes>(g, x, &mut y, &mut z);
        }
    )*};
}

kernels! {
    tiles_of_1 1;
    tiles_of_2 2;
    tiles_of_4 4;
    tiles_of_8 8;
    tiles_of_16 16;
    tiles_of_32 32;
}

/// Tiles that take different ways: each halves its numbers until its own are all gone, and notes how often, its number in the
/// group, its lanes, and the sum of what it wrote to memory of its own.
#[gpu_kernel(block = (20, 4))]
fn ways(g: &Group, x: &[u32], mut y: PerThread<Matrix<[u32; 4]>>, mut scratch: Workgroup<[u32; 80]>) {
    g.tiled::<8>().each_tile((&mut y, scratch.warp_chunks_mut(8)), |tile, (mut y, mut scratch)| {
        let mut left = tile.map((), |t, ()| x.get(t.row() * 20 + t.col()).copied().unwrap_or(0));
        let mut turns = 0;
        while tile.reduce_max(&left) > 0 {
            tile.each(&mut left, |_, left| *left /= 2);
            turns += 1;
        }
        tile.each(scratch.reborrow().elements_mut(), |t, slot| *slot = t.lane() as u32 + turns);
        let mut sum = 0;
        for lane in 0..tile.len() {
            sum += tile.read(&scratch, lane);
        }
        let (index, len) = (tile.index() as u32, tile.len() as u32);
        tile.each(y.elements_mut(), |_, y| {
            if let Some(y) = y {
                *y = [turns, index, len, sum];
            }
        });
    });
}

/// Tiles of a warp, and tiles of them: the greatest of four, of two of them, and the tiles' numbers.
#[gpu_kernel]
fn nested(g: &Group, x: &[u32], mut y: PerThread<[[u32; 6]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let warp = w.size() as u32;
        let mine = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        w.tiled::<4>().each_tile((&mine, &mut y), |tile, (mine, mut y)| {
            let greatest = tile.reduce_max(mine);
            let of_two = tile.tiled::<2>().reduce(mine, |a, b| a + b);
            let (index, size) = (tile.index() as u32, tile.size() as u32);
            // Only those with an even greatest go on.
            let mut first = 0;
            if greatest % 2 == 0 {
                first = tile.broadcast(mine, 0);
            }
            tile.each((&of_two, y.elements_mut()), |_, (of_two, y)| {
                if let Some(y) = y {
                    *y = [greatest, *of_two, index, size, first, warp];
                }
            });
        });
    });
}

#[gpu_kernel(block = 32)]
fn no_such_lane(g: &Group, lane: u32, mut y: PerThread<[u32]>) {
    let mine = g.map((), |t, ()| t.index() as u32);
    let theirs = g.tiled::<8>().broadcast(&mine, lane as usize);
    g.each((&theirs, y.elements_mut()), |_, (theirs, y)| {
        if let Some(y) = y {
            *y = *theirs;
        }
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

    /// What a thread should get, of a tile with these values.
    fn expected(tile: &[u32], lanes: usize, at: usize) -> ([u64; 16], [i32; 6]) {
        let of = |lane: usize| if lane < lanes { *tile.get(lane).unwrap_or(&tile[at]) } else { tile[at] };
        let bits = |holds: &dyn Fn(u32) -> bool| {
            tile.iter().enumerate().map(|(lane, &x)| u64::from(holds(x)) << lane).sum::<u64>()
        };
        let odd = bits(&|x| x % 2 == 1);
        let signed: Vec<i32> = tile.iter().map(|&x| x as i32 - 500).collect();
        let unsigned = signed.iter().map(|&x| x as u32);
        let y = [
            tile.iter().sum::<u32>().into(),
            tile[..=at].iter().sum::<u32>().into(),
            tile[..at].iter().copied().fold(7, u32::max).into(),
            tile[0].into(),
            of(tile[at] as usize % 40).into(),
            of(at ^ 1).into(),
            of(at + 1).into(),
            tile[at.checked_sub(2).unwrap_or(at)].into(),
            odd,
            bits(&|x| x % 4 == tile[at] % 4),
            (odd != 0).into(),
            (odd.count_ones() as usize == tile.len()).into(),
            odd.count_ones().into(),
            unsigned.clone().min().unwrap_or(0).into(),
            unsigned.max().unwrap_or(0).into(),
            (signed.iter().map(|&x| i64::from(x) << 20).sum::<i64>()) as u64,
        ];
        let fold = |combine: fn(i32, i32) -> i32| signed[1..].iter().fold(signed[0], |a, &b| combine(a, b));
        let z = [
            fold(i32::wrapping_add),
            fold(i32::min),
            fold(i32::max),
            fold(|a, b| a & b),
            fold(|a, b| a | b),
            fold(|a, b| a ^ b),
        ];
        (y, z)
    }

    #[test]
    fn collectives_are_of_the_tile() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        // Whole warps, and groups whose last warp and whose last tile have fewer threads.
        for block in [64, 75] {
            let host = numbers(3 * block);
            let x = stream.upload(&host)?;
            macro_rules! check {
                ($($kernel:ident $lanes:literal;)*) => {$(
                    let mut y = stream.alloc_zeroed::<[u64; 16]>(host.len())?;
                    let mut z = stream.alloc_zeroed::<[i32; 6]>(host.len())?;
                    let config = LaunchConfig::grid(3, block);
                    $kernel::load(&device)?.launch(&stream, config, (&x, &mut y, &mut z))?;
                    let (y, z) = (stream.download(&y)?, stream.download(&z)?);
                    for (i, got) in y.into_iter().zip(z).enumerate() {
                        let (first, place) = (i / block * block, i % block);
                        let tile = place / $lanes * $lanes;
                        let values = &host[first + tile..first + (tile + $lanes).min(block)];
                        assert_eq!(got, expected(values, $lanes, place - tile), "{i} of {block}, {}", $lanes);
                    }
                )*};
            }
            check! {
                tiles_of_1 1;
                tiles_of_2 2;
                tiles_of_4 4;
                tiles_of_8 8;
                tiles_of_16 16;
                tiles_of_32 32;
            }
        }
        Ok(())
    }

    #[test]
    fn tiles_take_ways_of_their_own() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let host: Vec<u32> = numbers(20 * 8).iter().map(|&x| 1 << (x % 20)).collect();
        let x = stream.upload(&host)?;
        let mut y = stream.alloc_matrix_zeroed::<[u32; 4]>(8, 20)?;
        ways::load(&device)?.launch(&stream, LaunchConfig::for_matrix(8, 20), (&x, &mut y))?;
        let y = stream.download(&y)?;
        for (group, (host, y)) in host.chunks(80).zip(y.chunks(80)).enumerate() {
            for (index, (tile, y)) in host.chunks(8).zip(y.chunks(8)).enumerate() {
                let turns = tile.iter().map(|x| x.ilog2() + 1).max().unwrap_or(0);
                let (index, len) = (index as u32, tile.len() as u32);
                let sum = (0..len).map(|lane| lane + turns).sum();
                assert!(y.iter().all(|y| *y == [turns, index, len, sum]), "{index} of {group}: {y:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn tiles_have_tiles() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let host = numbers(150);
        let x = stream.upload(&host)?;
        let mut y = stream.alloc_zeroed::<[u32; 6]>(150)?;
        nested::load(&device)?.launch(&stream, LaunchConfig::grid(2, 75), (&x, &mut y))?;
        let y = stream.download(&y)?;
        let warp = y[0][5];
        for (host, y) in host.chunks(75).zip(y.chunks(75)) {
            for (index, (tile, y)) in host.chunks(4).zip(y.chunks(4)).enumerate() {
                let greatest = tile.iter().copied().max().unwrap_or(0);
                let first = if greatest % 2 == 0 { tile[0] } else { 0 };
                for (lane, y) in y.iter().enumerate() {
                    let of_two: u32 = tile[lane / 2 * 2..(lane / 2 * 2 + 2).min(tile.len())].iter().sum();
                    assert_eq!(
                        *y,
                        [greatest, of_two, index as u32 % (warp / 4), 4, first, warp],
                        "{index} {lane}"
                    );
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_lane_beyond_the_tile_is_a_panic() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = no_such_lane::load(&device)?;
        let mut y = stream.alloc_zeroed::<u32>(32)?;
        kernel.launch(&stream, LaunchConfig::threads(32), (7, &mut y))?;
        assert!(stream.download(&y)?.iter().enumerate().all(|(i, &y)| y as usize == i / 8 * 8 + 7));
        kernel.launch(&stream, LaunchConfig::threads(32), (8, &mut y))?;
        let error = stream.synchronize().expect_err("a tile has eight lanes");
        assert!(matches!(error, Error::KernelPanic { .. }), "{error}");
        assert!(error.to_string().contains(" of tiles of "), "{error}"); // a GPU leaves values out
        Ok(())
    }
}
