//! What the threads of a warp make of each other's values: 32 neighbours, or 64 on some GPUs of AMD, the last ones of a group fewer.

use gridwright::prelude::*;

use super::at;
#[host_only]
use super::check;
#[host_only]
use crate::setting::{Result, device, open, sizes, warp_size};

/// Two numbers of which the second is made of the first: halves of different values would show.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Pair {
    value: u64,
    inverse: u64,
}

impl Pair {
    fn of(x: u32) -> Self {
        Self { value: u64::from(x) << 20, inverse: !(u64::from(x) << 20) }
    }

    fn read(self) -> u32 {
        assert_eq!(self.value, !self.inverse);
        (self.value >> 20) as u32
    }
}

/// A naive loop over warps of so many lanes: `of` gets the values of the warp and a lane.
#[host_only]
fn by_warp<R>(lanes: usize, group: &[u32], of: impl Fn(&[u32], usize) -> R) -> Vec<R> {
    group
        .chunks(lanes)
        .flat_map(|warp| (0..warp.len()).map(|lane| of(warp, lane)).collect::<Vec<_>>())
        .collect()
}

#[gpu_kernel(max_threads = 1024)]
fn shuffles(g: &Group, by: usize, x: &[u32], mut out: PerThread<[[u32; 5]]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let pairs = g.map(&mine, |_, x| Pair::of(*x));
    let lanes = g.map(&mine, |t, x| if *x % 5 == 0 { *x << 3 } else { (*x + t.lane() as u32) % 32 });
    let (up, down, crossed) = (g.shuffle_up(&mine, by), g.shuffle_down(&mine, by), g.shuffle_xor(&mine, by));
    let (named, paired) = (g.shuffle(&mine, &lanes), g.shuffle_down(&pairs, by));
    g.each(
        (&up, &down, &crossed, &named, &paired, out.elements_mut()),
        |_, (up, down, crossed, named, paired, out)| {
            if let Some(out) = out {
                *out = [*up, *down, *crossed, *named, paired.read()];
            }
        },
    );
}

#[test]
fn shuffles_give_the_value_of_another_lane_or_the_own_one() -> Result {
    let device = device()?;
    let lanes = warp_size(&device)?;
    for &by in sizes(&device, &[0, 1, 2, 5, 16, 31, 32, 33, 63, 64, 65, usize::MAX], &[1, 32, 64, usize::MAX])
    {
        check(
            |stream, device, config, _, (x, y)| shuffles::load(device)?.launch(stream, config, (by, x, y)),
            |group| {
                by_warp(lanes, group, |warp, lane| {
                    let of =
                        |other: Option<usize>| other.and_then(|o| warp.get(o)).copied().unwrap_or(warp[lane]);
                    let x = warp[lane];
                    let named = if x % 5 == 0 { x << 3 } else { (x + lane as u32) % 32 } as usize;
                    let (up, down) = (lane.checked_sub(by), lane.checked_add(by));
                    [of(up), of(down), of(Some(lane ^ by)), of(Some(named)), of(down)]
                })
            },
        )?;
    }
    Ok(())
}

#[gpu_kernel]
fn warp_votes(g: &Group, modulus: u32, x: &[u32], mut out: PerThread<[[u64; 4]]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let votes = g.map(&mine, |_, x| *x % modulus == 1);
    let bins = g.map(&mine, |_, x| u64::from(*x % modulus) << 40);
    let (mask, any, all) = (g.ballot(&votes), g.vote_any(&votes), g.vote_all(&votes));
    let same = g.match_any(&bins);
    g.each((&mask, &any, &all, &same, out.elements_mut()), |_, (mask, any, all, same, out)| {
        if let Some(out) = out {
            *out = [*mask, u64::from(*any), u64::from(*all), *same];
        }
    });
}

#[test]
fn votes_are_of_the_lanes_that_there_are() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    for &modulus in sizes(&device, &[1, 2, 7, 100, 2000], &[1, 7, 2000]) {
        check(
            |stream, device, config, _, (x, y)| {
                warp_votes::load(device)?.launch(stream, config, (modulus, x, y))
            },
            |group| {
                by_warp(lanes, group, |warp, lane| {
                    let bits = |of: &dyn Fn(u32) -> bool| -> u64 {
                        warp.iter().enumerate().map(|(lane, &x)| u64::from(of(x)) << lane).sum()
                    };
                    let mask = bits(&|x| x % modulus == 1);
                    let all = mask.count_ones() as usize == warp.len();
                    let same = bits(&|x| x % modulus == warp[lane] % modulus);
                    [mask, u64::from(mask != 0), u64::from(all), same]
                })
            },
        )?;
    }
    // Where all are true, in a full warp and in one of 13.
    let n = lanes + 13;
    let x = stream.upload(&vec![1; n])?;
    let mut y = stream.alloc_zeroed::<[u64; 4]>(n)?;
    warp_votes::load(&device)?.launch(&stream, LaunchConfig::grid(1, n), (3, &x, &mut y))?;
    let (full, part) = (u64::MAX >> (64 - lanes), (1 << 13) - 1);
    let expected = [vec![[full, 1, 1, full]; lanes], vec![[part, 1, 1, part]; 13]].concat();
    assert_eq!(stream.download(&y)?, expected);
    Ok(())
}

#[gpu_kernel(max_threads = 1024)]
fn warp_reductions(g: &Group, x: &[u32], mut out: PerThread<[[u32; 3]]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let (sum, least) = (g.warp_reduce(&mine, |a, b| a + b), g.warp_reduce(&mine, u32::min));
    let pairs = g.map(&mine, |_, x| Pair::of(*x));
    let greatest = g.warp_reduce(&pairs, |a, b| if a.value > b.value { a } else { b });
    g.each((&sum, &least, &greatest, out.elements_mut()), |_, (sum, least, greatest, out)| {
        if let Some(out) = out {
            *out = [*sum, *least, greatest.read()];
        }
    });
}

#[test]
fn warps_reduce_their_own_values() -> Result {
    let lanes = warp_size(&device()?)?;
    check(
        |stream, device, config, _, (x, y)| warp_reductions::load(device)?.launch(stream, config, (x, y)),
        |group| {
            by_warp(lanes, group, |warp, _| {
                [warp.iter().sum(), *warp.iter().min().unwrap(), *warp.iter().max().unwrap()]
            })
        },
    )
}
