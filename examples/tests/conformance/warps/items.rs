//! What warps are given.

use gridwright::prelude::*;

#[host_only]
use super::check;
#[host_only]
use crate::setting::{Result, device, warp_size};

/// Values of the group that warps change and read, and values of their own.
#[gpu_kernel]
fn values_of_a_group(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    let fixed = g.map((), |t, ()| x[t.index()]);
    let (mut sum, mut other) = (g.private(0_u32), g.private(1_u32));
    g.each_warp((&fixed, &mut sum, &mut other), |w, (fixed, mut sum, mut other)| {
        // Which changes nothing outside: both are this warp's, for as long as it runs.
        core::mem::swap(&mut sum, &mut other);
        let own = w.map(fixed, |t, x| x + t.lane() as u32);
        w.each((&mut sum, &own), |_, (sum, own)| *sum += own);
        let greatest = w.reduce(&sum, u32::max);
        w.each((&mut other, &sum), |_, (other, sum)| *other = greatest - sum);
    });
    g.each((&sum, &other, y.elements_mut()), |_, (sum, other, y)| *y.unwrap() = sum * 10_000 + other);
}

#[test]
fn values_of_the_group_are_changed_by_their_warp() -> Result {
    check(
        |stream, device, config, _, (x, y)| values_of_a_group::load(device)?.launch(stream, config, (x, y)),
        |_, warp| {
            let other: Vec<u32> = warp.iter().zip(0..).map(|(x, lane)| 1 + x + lane).collect();
            let greatest = other.iter().max().unwrap();
            other.iter().map(|other| (greatest - other) * 10_000 + other).collect()
        },
    )
}

/// As many items as there can be, and none.
#[gpu_kernel]
fn eight_items(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let (a, b, c) = (g.private(1_u32), g.private(2_u64), g.private(3_u8));
    let (mut d, mut e) = (g.private(4_u32), g.private([5_u32; 3]));
    g.each_warp((), |w, ()| assert!(w.len() > 0 && w.len() <= w.size()));
    let (low, high) = w.split_at_mut(g.warps());
    g.each_warp(
        (&a, &b, &c, &mut d, &mut e, low.warp_chunks_mut(1), high.warp_chunks_mut(2), &mut y),
        |w, (a, b, c, mut d, mut e, mut one, mut two, mut y)| {
            w.set(&mut one, 0, 6);
            w.set(&mut two, 1, 7);
            w.each((&mut d, &mut e), |_, (d, e)| (*d, e[2]) = (*d + 1, e[2] + 1));
            let (one, two) = (w.read(&one, 0), w.read(&two, 1));
            w.each((a, b, c, &d, &e, y.elements_mut()), |t, (a, b, c, d, e, y)| {
                let sum = a + *b as u32 + u32::from(*c) + d + e.iter().sum::<u32>() + one + two;
                *y.unwrap() = x[t.index()] + sum;
            });
        },
    );
}

#[test]
fn up_to_eight_items_are_given_to_each_warp() -> Result {
    let lanes = warp_size(&device()?)?;
    check(
        |stream, device, config, block, (x, y)| {
            let config = config.workgroup::<u32>(3 * block.div_ceil(lanes));
            eight_items::load(device)?.launch(stream, config, (x, y))
        },
        |_, warp| warp.iter().map(|x| x + 1 + 2 + 3 + 5 + 16 + 6 + 7).collect(),
    )
}

/// The steps of Collatz's sequence to 1, counted by each warp's threads.
#[gpu_kernel]
fn collatz_of_a_warp(g: &Group, x: &[u32], mut y: PerThread<[[u32; 2]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let mut n = w.map((), |t, ()| x[t.index()]);
        let (mut count, mut again) = (w.private(0_u32), w.private(0_u32));
        w.each_while((&mut n, &mut count), |_, (n, count)| {
            if *n == 1 {
                return false;
            }
            *n = if *n % 2 == 0 { *n / 2 } else { *n * 3 + 1 };
            *count += 1;
            true
        });
        w.each_while_branching((&count, &mut again), |_, (count, again)| {
            *again += 1;
            *again < *count
        });
        w.each((&count, &again, y.elements_mut()), |_, (count, again, y)| *y.unwrap() = [*count, *again]);
    });
}

#[test]
fn threads_of_a_warp_repeat_as_often_as_each_says() -> Result {
    check(
        |stream, device, config, _, (x, y)| collatz_of_a_warp::load(device)?.launch(stream, config, (x, y)),
        |_, warp| {
            let steps = |&x: &u32| {
                let next = |n: &u32| (*n > 1).then(|| if n.is_multiple_of(2) { n / 2 } else { n * 3 + 1 });
                let steps = core::iter::successors(Some(x), next).count() as u32 - 1;
                [steps, steps.max(1)]
            };
            warp.iter().map(steps).collect()
        },
    )
}
