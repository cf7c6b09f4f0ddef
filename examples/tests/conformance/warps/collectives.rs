//! What a warp computes of its threads' values.

use gridwright::prelude::*;

#[host_only]
use super::{check, check_blocks};
#[host_only]
use crate::setting::{Result, device, sizes};

#[gpu_kernel]
fn warp_sums(g: &Group, x: &[u32], mut y: PerThread<[[u32; 5]]>) {
    let mine = g.map((), |t, ()| x[t.index()]);
    g.each_warp((&mine, &mut y), |w, (mine, mut y)| {
        let (sum, least) = (w.reduce(mine, |a, b| a + b), w.reduce(mine, u32::min));
        let before = w.scan_exclusive(mine, 1000, |a, b| a + b);
        let so_far = w.scan_inclusive(mine, |a, b| a + b);
        let last = w.broadcast(mine, w.len() - 1);
        w.each((&before, &so_far, y.elements_mut()), |_, (before, so_far, y)| {
            *y.unwrap() = [sum, least, *before, *so_far, last];
        });
    });
}

#[gpu_kernel(block = 64)]
fn warp_sums_in_blocks(g: &Group, x: &[u32], mut y: PerThread<[[u32; 5]]>) {
    let mine = g.map((), |t, ()| x[t.index()]);
    g.each_warp((&mine, &mut y), |w, (mine, mut y)| {
        let (sum, least) = (w.reduce(mine, |a, b| a + b), w.reduce(mine, u32::min));
        let before = w.scan_exclusive(mine, 1000, |a, b| a + b);
        let so_far = w.scan_inclusive(mine, |a, b| a + b);
        let last = w.broadcast(mine, w.len() - 1);
        w.each((&before, &so_far, y.elements_mut()), |_, (before, so_far, y)| {
            *y.unwrap() = [sum, least, *before, *so_far, last];
        });
    });
}

#[test]
fn warps_reduce_scan_and_broadcast_their_own_values() -> Result {
    let naive = |_: usize, warp: &[u32]| {
        let (sum, least) = (warp.iter().sum(), *warp.iter().min().unwrap());
        let of = |lane: usize| {
            let before: u32 = warp[..lane].iter().sum();
            [sum, least, 1000 + before, before + warp[lane], warp[warp.len() - 1]]
        };
        (0..warp.len()).map(of).collect()
    };
    check(
        |stream, device, config, _, (x, y)| warp_sums::load(device)?.launch(stream, config, (x, y)),
        naive,
    )?;
    check_blocks(
        &[64],
        |stream, device, config, _, (x, y)| warp_sums_in_blocks::load(device)?.launch(stream, config, (x, y)),
        naive,
    )
}

#[gpu_kernel]
fn votes_of_a_warp(g: &Group, modulus: u32, x: &[u32], mut y: PerThread<[[u64; 6]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let hits = w.map((), |t, ()| x[t.index()] % modulus == 1);
        let bins = w.map((), |t, ()| u64::from(x[t.index()] % modulus) << 40);
        let (mask, any, all, count) = (w.ballot(&hits), w.any(&hits), w.all(&hits), w.count(&hits));
        let same = w.match_any(&bins);
        let digits = w.match_bits(&w.map((), |t, ()| x[t.index()]), modulus % 40);
        w.each((&same, &digits, y.elements_mut()), |_, (same, digits, y)| {
            *y.unwrap() = [mask, u64::from(any), u64::from(all), count as u64, *same, *digits];
        });
    });
}

#[test]
fn votes_are_of_the_lanes_that_there_are() -> Result {
    for &modulus in sizes(&device()?, &[1, 2, 7, 2000], &[1, 7]) {
        check(
            |stream, device, config, _, (x, y)| {
                votes_of_a_warp::load(device)?.launch(stream, config, (modulus, x, y))
            },
            |_, warp| {
                let bits = |of: &dyn Fn(u32) -> bool| -> u64 {
                    warp.iter().enumerate().map(|(lane, &x)| u64::from(of(x)) << lane).sum()
                };
                let mask = bits(&|x| x % modulus == 1);
                let count = u64::from(mask.count_ones());
                let all = count == warp.len() as u64;
                let of = |x: &u32| {
                    let same = bits(&|other| other % modulus == x % modulus);
                    let digits = bits(&|other| u64::from(other ^ x) & ((1 << (modulus % 40)) - 1) == 0);
                    [mask, u64::from(mask != 0), u64::from(all), count, same, digits]
                };
                warp.iter().map(of).collect()
            },
        )?;
    }
    Ok(())
}

#[gpu_kernel]
fn shuffles_of_a_warp(g: &Group, by: usize, x: &[u32], mut y: PerThread<[[u32; 4]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let mine = w.map((), |t, ()| x[t.index()]);
        let lanes = w.map(&mine, |t, x| if x % 5 == 0 { x << 3 } else { (x + t.lane() as u32) % 32 });
        let (up, down) = (w.shuffle_up(&mine, by), w.shuffle_down(&mine, by));
        let (crossed, named) = (w.shuffle_xor(&mine, by), w.shuffle(&mine, &lanes));
        w.each((&up, &down, &crossed, &named, y.elements_mut()), |_, (up, down, crossed, named, y)| {
            *y.unwrap() = [*up, *down, *crossed, *named];
        });
    });
}

#[test]
fn shuffles_give_the_value_of_another_lane_or_the_own_one() -> Result {
    for &by in sizes(&device()?, &[0, 1, 5, 16, 31, 32, 33, 63, 64, usize::MAX], &[1, 32, 64, usize::MAX]) {
        check(
            |stream, device, config, _, (x, y)| {
                shuffles_of_a_warp::load(device)?.launch(stream, config, (by, x, y))
            },
            |_, warp| {
                let of = |lane: usize| {
                    let of =
                        |other: Option<usize>| other.and_then(|o| warp.get(o)).copied().unwrap_or(warp[lane]);
                    let x = warp[lane];
                    let named = if x % 5 == 0 { x << 3 } else { (x + lane as u32) % 32 } as usize;
                    let (up, down) = (lane.checked_sub(by), lane.checked_add(by));
                    [of(up), of(down), of(Some(lane ^ by)), of(Some(named))]
                };
                (0..warp.len()).map(of).collect()
            },
        )?;
    }
    Ok(())
}

/// Values of one byte, of two and of more words: bytes of the first, then the sums of what the others have.
#[gpu_kernel]
fn shuffles_of_any_size(g: &Group, by: usize, x: &[u32], mut y: PerThread<[[u32; 4]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let bytes = w.map((), |t, ()| x[t.index()] as u8);
        let longs = w.map((), |t, ()| u64::from(x[t.index()]) << 32 | 3);
        let floats = w.map((), |t, ()| x[t.index()] as f32);
        let triples = w.map((), |t, ()| [x[t.index()], 1, t.lane() as u32]);
        let (bytes, longs) = (w.shuffle_xor(&bytes, by), w.shuffle_down(&longs, by));
        let (floats, triples) = (w.shuffle_xor(&floats, by), w.shuffle_up(&triples, by));
        w.each((&bytes, &longs, &floats, &triples, y.elements_mut()), |_, (byte, long, float, triple, y)| {
            *y.unwrap() =
                [u32::from(*byte), (long >> 32) as u32 + *long as u32, *float as u32, triple.iter().sum()];
        });
    });
}

#[test]
fn values_of_any_size_are_shuffled() -> Result {
    for &by in sizes(&device()?, &[0, 1, 7, 8, 12, 16, 31, 40], &[1, 24]) {
        check(
            |stream, device, config, _, (x, y)| {
                shuffles_of_any_size::load(device)?.launch(stream, config, (by, x, y))
            },
            |_, warp| {
                let of = |lane: usize| {
                    let of = |other: Option<usize>| other.filter(|&other| other < warp.len()).unwrap_or(lane);
                    let (across, down, up) =
                        (of(Some(lane ^ by)), of(Some(lane + by)), of(lane.checked_sub(by)));
                    [warp[across] & 0xff, warp[down] + 3, warp[across], warp[up] + 1 + up as u32]
                };
                (0..warp.len()).map(of).collect()
            },
        )?;
    }
    Ok(())
}
