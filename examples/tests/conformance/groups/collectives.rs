//! What a group computes of all its threads' values.

use gridwright::prelude::*;

use super::at;
#[host_only]
use super::{blocks, check};
#[host_only]
use crate::setting::{Result, device, is_cpu, numbers, open, sizes};

/// x ↦ slope·x + offset. Composing two is associative, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Line {
    slope: u32,
    offset: u32,
}

const SAME: Line = Line { slope: 1, offset: 0 };

impl Line {
    fn of(x: u32) -> Self {
        Self { slope: x | 1, offset: x }
    }

    /// First `self`, then `next`.
    fn then(self, next: Self) -> Self {
        Self {
            slope: self.slope.wrapping_mul(next.slope),
            offset: self.offset.wrapping_mul(next.slope).wrapping_add(next.offset),
        }
    }
}

#[gpu_kernel(max_threads = 1024)]
fn reductions(g: &Group, x: &[u32], mut out: PerThread<[[u32; 6]]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let sum = g.reduce(&mine, |a, b| a + b);
    let greatest = g.reduce(&mine, u32::max);
    let least = g.reduce(&mine, u32::min);
    // Captures what is the same for all.
    let capped = g.reduce(&mine, |a, b| (a | b).min(sum));
    let places = g.map(&mine, |t, x| [*x as u64 * 2, t.local().x as u64]);
    let [twice, last] = g.reduce(&places, |[a, b], [c, d]| [a + c, b.max(d)]);
    let floats = g.map(&mine, |_, x| *x as f32);
    let float = g.reduce(&floats, f32::max);
    assert_eq!(float, greatest as f32);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = [sum, greatest, least, capped, twice as u32, last as u32];
        }
    });
}

#[test]
fn reduce_combines_the_values_of_all_threads() -> Result {
    check(
        |stream, device, config, _, (x, y)| reductions::load(device)?.launch(stream, config, (x, y)),
        |group| {
            let sum: u32 = group.iter().sum();
            let or = group.iter().fold(0, |a, b| a | b);
            let (most, least) = (*group.iter().max().unwrap(), *group.iter().min().unwrap());
            vec![[sum, most, least, or.min(sum), 2 * sum, group.len() as u32 - 1]; group.len()]
        },
    )
}

#[gpu_kernel]
fn in_any_order(g: &Group, x: &[u32], mut out: PerThread<[[u32; 2]]>, mut once: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let one = g.reduce(&mine, |a, _| a);
    let other = g.reduce(&mine, |a, b| a.wrapping_mul(3).wrapping_sub(b));
    once.set(g, other);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = [one, other];
        }
    });
}

#[test]
fn what_does_not_commute_reduces_to_one_value_for_all() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            let mut once = stream.alloc_zeroed::<u32>(x.len().div_ceil(block))?;
            let mut both = stream.alloc_zeroed::<[u32; 2]>(x.len())?;
            in_any_order::load(device)?.launch(stream, config, (x, &mut both, &mut once))?;
            let (both, once, host) = (stream.download(&both)?, stream.download(&once)?, stream.download(x)?);
            let same = both.iter().enumerate().map(|(i, &[one, other])| {
                let of_group = &host[i / block * block..];
                let of_group = &of_group[..block.min(of_group.len())];
                let is_a_value = of_group.contains(&one) || one == 0 && of_group.len() < block;
                u32::from(is_a_value && one == both[i / block * block][0] && other == once[i / block])
            });
            stream.copy_from_slice(y, &same.collect::<Vec<_>>())
        },
        |group| vec![1; group.len()],
    )
}

#[gpu_kernel]
fn scans(g: &Group, x: &[u32], mut out: PerThread<[[u32; 8]]>) {
    let mine = g.map((), |t, ()| at(x, t.index()));
    let with_own = g.scan_inclusive(&mine, |a, b| a + b);
    let before = g.scan_exclusive(&mine, 0, |a, b| a + b);
    let greatest = g.scan_inclusive(&mine, u32::max);
    let greatest_before = g.scan_exclusive(&mine, 0, u32::max);
    let lines = g.map(&mine, |_, x| Line::of(*x));
    let path = g.scan_inclusive(&lines, Line::then);
    let path_before = g.scan_exclusive(&lines, SAME, Line::then);
    let sums = (&with_own, &before, &greatest, &greatest_before, &path, &path_before, out.elements_mut());
    g.each(sums, |_, (with_own, before, greatest, greatest_before, path, path_before, out)| {
        if let Some(out) = out {
            let (a, b) = (path, path_before);
            *out = [*with_own, *before, *greatest, *greatest_before, a.slope, a.offset, b.slope, b.offset];
        }
    });
}

#[test]
fn scans_combine_the_threads_before_in_order() -> Result {
    check(
        |stream, device, config, _, (x, y)| scans::load(device)?.launch(stream, config, (x, y)),
        |group| {
            (0..group.len())
                .map(|i| {
                    let (before, with_own) = (&group[..i], &group[..=i]);
                    let sum = |x: &[u32]| x.iter().sum();
                    let most = |x: &[u32]| x.iter().copied().max().unwrap_or(0);
                    let path = |x: &[u32]| x.iter().fold(SAME, |path, &x| path.then(Line::of(x)));
                    let (a, b) = (path(with_own), path(before));
                    let sums = [sum(with_own), sum(before), most(with_own), most(before)];
                    [sums[0], sums[1], sums[2], sums[3], a.slope, a.offset, b.slope, b.offset]
                })
                .collect()
        },
    )
}

/// Floats whose sums are rounded.
fn third(x: u32) -> f32 {
    x as f32 / 3.0
}

#[gpu_kernel]
fn rounded(g: &Group, x: &[u32], mut out: PerThread<[[f32; 3]]>) {
    let mine = g.map((), |t, ()| third(at(x, t.index())));
    let sum = g.reduce(&mine, |a, b| a + b);
    let with_own = g.scan_inclusive(&mine, |a, b| a + b);
    let before = g.scan_exclusive(&mine, 0.0, |a, b| a + b);
    g.each((&with_own, &before, out.elements_mut()), |_, (with_own, before, out)| {
        if let Some(out) = out {
            *out = [sum, *with_own, *before];
        }
    });
}

/// The order is the CPU's own, and the same for each instruction set: another test runs this one for each. On a GPU the order is by
/// the width of a warp, and only its result for all threads is known to be one.
#[test]
fn floats_are_summed_in_one_order() -> Result {
    let device = device()?;
    if !is_cpu(&device) {
        return floats_are_summed_nearly();
    }
    check(
        |stream, device, config, _, (x, y)| rounded::load(device)?.launch(stream, config, (x, y)),
        |group| {
            let of: Vec<f32> = group.iter().map(|&x| third(x)).collect();
            let in_order = |of: &[f32]| of.iter().copied().reduce(|a, b| a + b).unwrap_or(0.0);
            let sum = if of.len() < 64 {
                in_order(&of)
            } else {
                // 64 side by side, then halves.
                let mut sums: Vec<f32> = (0..64)
                    .map(|lane| in_order(&of.iter().copied().skip(lane).step_by(64).collect::<Vec<_>>()))
                    .collect();
                while sums.len() > 1 {
                    let half = sums.len() / 2;
                    sums = (0..half).map(|lane| sums[lane] + sums[lane + half]).collect();
                }
                sums[0]
            };
            (0..of.len()).map(|i| [sum, in_order(&of[..=i]), in_order(&of[..i])]).collect()
        },
    )
}

/// Within what roundings of so many sums can be, the sum in any order, which is the same for all threads.
#[host_only]
fn floats_are_summed_nearly() -> Result {
    let (device, stream) = open()?;
    let kernel = rounded::load(&device)?;
    for &block in blocks(&device) {
        let host = numbers(block);
        let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed::<[f32; 3]>(block)?);
        kernel.launch(&stream, LaunchConfig::grid(1, block), (&x, &mut y))?;
        let exact: Vec<f64> = host.iter().map(|&x| f64::from(third(x))).collect();
        let near = |found: f32, exact: f64| {
            (f64::from(found) - exact).abs() <= exact * block as f64 * f64::from(f32::EPSILON)
        };
        let found = stream.download(&y)?;
        let mut before = 0.0;
        for (i, [sum, with_own, so_far]) in found.iter().copied().enumerate() {
            assert!(near(so_far, before), "{i} of {block}: {so_far} and not {before}");
            before += exact[i];
            assert!(near(with_own, before), "{i} of {block}: {with_own} and not {before}");
            assert_eq!(sum, found[0][0], "{i} of {block}");
        }
        assert!(near(found[0][0], before), "{block}: {} and not {before}", found[0][0]);
    }
    Ok(())
}

#[gpu_kernel]
fn of_everyone(g: &Group, x: &[u32], mut out: PerThread<[u32]>) {
    let lines = g.map((), |t, ()| Line::of(at(x, t.index())));
    let mut sum = 0_u32;
    for thread in 0..g.len() {
        let line = g.broadcast(&lines, thread);
        sum = sum.wrapping_mul(5).wrapping_add(line.slope ^ line.offset << 3);
    }
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = sum;
        }
    });
}

#[test]
fn broadcast_gives_all_the_value_of_any_thread() -> Result {
    check(
        |stream, device, config, _, (x, y)| of_everyone::load(device)?.launch(stream, config, (x, y)),
        |group| {
            let sum = group.iter().fold(0_u32, |sum, &x| sum.wrapping_mul(5).wrapping_add((x | 1) ^ x << 3));
            vec![sum; group.len()]
        },
    )
}

/// Whether the thread of a number in a group of so many is one of the pattern's.
fn is_in(pattern: u32, number: usize, threads: usize) -> bool {
    match pattern {
        0 => false,
        1 => number == 0,
        2 => number + 1 == threads,
        3 => number != threads / 2,
        4 => number % 3 == 1,
        _ => true,
    }
}

#[gpu_kernel]
fn votes(g: &Group, pattern: u32, mut out: PerThread<[[u32; 3]]>) {
    let threads = g.len();
    let mine = g.map((), |t, ()| is_in(pattern, t.local().x, threads));
    let votes = [u32::from(g.any(&mine)), u32::from(g.all(&mine)), g.count(&mine) as u32];
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = votes;
        }
    });
}

#[test]
fn any_all_and_count_are_of_all_threads() -> Result {
    for &pattern in sizes(&device()?, &[0, 1, 2, 3, 4, 5], &[0, 3, 5]) {
        check(
            |stream, device, config, _, (_, y)| votes::load(device)?.launch(stream, config, (pattern, y)),
            |group| {
                let n = group.len();
                let count = (0..n).filter(|&i| is_in(pattern, i, n)).count();
                vec![[u32::from(count > 0), u32::from(count == n), count as u32]; n]
            },
        )?;
    }
    Ok(())
}

#[gpu_kernel(block = (7, 5, 3))]
fn in_three_axes(g: &Group, mut out: PerThread<Volume<[u32; 3]>>) {
    let index = g.map((), |t, ()| t.index() as u32);
    let (sum, before) = (g.reduce(&index, |a, b| a + b), g.scan_exclusive(&index, 0, |a, b| a + b));
    let chosen = g.broadcast(&index, 2 * 35 + 3 * 7 + 4);
    g.each((&before, out.elements_mut()), |_, (before, out)| {
        if let Some(out) = out {
            *out = [sum, *before, chosen];
        }
    });
}

#[test]
fn threads_of_three_axes_count_row_after_row() -> Result {
    let (device, stream) = open()?;
    let mut out = stream.alloc_volume_zeroed(3, 5, 14)?;
    in_three_axes::load(&device)?.launch(&stream, LaunchConfig::for_volume(3, 5, 14), (&mut out,))?;
    let out = stream.download(&out)?;
    for first in [0, 7] {
        let of_group: Vec<u32> = (0..210).filter(|i| i / 7 % 2 == u32::from(first > 0)).collect();
        let mut before = 0;
        for &index in &of_group {
            assert_eq!(out[index as usize], [of_group.iter().sum(), before, of_group[2 * 35 + 3 * 7 + 4]]);
            before += index;
        }
    }
    Ok(())
}
