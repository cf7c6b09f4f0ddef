//! Collectives of odd groups, with odd arguments and functions that break their contract: one value for all, no panic.

use gridwright::prelude::*;

use crate::{Result, cpu, panicked};

/// A whole warp, a part of one, and several with a part behind them, on devices with 32 and with 64 lanes.
const BLOCKS: [usize; 12] = [1, 2, 31, 32, 33, 63, 65, 66, 100, 129, 1000, 1024];

#[gpu_kernel]
fn reduces(g: &Group, mut sums: PerThread<[u32]>, mut odd: PerThread<[u32]>, mut counts: PerThread<[u32]>) {
    let values = g.map((), |t, ()| t.local().x as u32 + 1);
    let sum = g.reduce(&values, |a, b| a + b);
    // Neither associative nor commutative: any value, but the same for all threads.
    let any = g.reduce(&values, |a, b| a.wrapping_mul(31) ^ b);
    let count = g.count(&g.map(&values, |_, value| *value % 2 == 1)) as u32;
    let flags = u32::from(g.any(&g.map(&values, |_, value| *value == 1))) * 1000
        + u32::from(g.all(&g.map(&values, |_, value| *value > 0))) * 10_000;
    g.each((sums.elements_mut(), odd.elements_mut(), counts.elements_mut()), |_, (s, o, c)| {
        if let (Some(s), Some(o), Some(c)) = (s, o, c) {
            (*s, *o, *c) = (sum, any, count + flags);
        }
    });
}

#[test]
fn reductions_give_each_thread_the_same_also_in_groups_that_end_within_a_warp() -> Result {
    let (device, stream) = cpu()?;
    let kernel = reduces::load(&device)?;
    for block in BLOCKS {
        let buffer = || stream.alloc_zeroed::<u32>(2 * block);
        let (mut sums, mut odd, mut counts) = (buffer()?, buffer()?, buffer()?);
        kernel.launch(&stream, LaunchConfig::grid(2, block), (&mut sums, &mut odd, &mut counts))?;
        let n = block as u32;
        assert_eq!(stream.download(&sums)?, vec![n * (n + 1) / 2; 2 * block], "{block} threads");
        let odd = stream.download(&odd)?;
        assert_eq!(odd, vec![odd[0]; 2 * block], "{block} threads");
        assert_eq!(stream.download(&counts)?, vec![n.div_ceil(2) + 11_000; 2 * block], "{block} threads");
    }
    Ok(())
}

#[gpu_kernel]
fn scans(g: &Group, mut inclusive: PerThread<[u32]>, mut exclusive: PerThread<[u32]>) {
    let values = g.map((), |t, ()| t.local().x as u32 + 1);
    let (i, e) = (g.scan_inclusive(&values, |a, b| a + b), g.scan_exclusive(&values, 100, |a, b| a + b));
    g.each(
        (&i, &e, inclusive.elements_mut(), exclusive.elements_mut()),
        |_, (i, e, inclusive, exclusive)| {
            if let (Some(inclusive), Some(exclusive)) = (inclusive, exclusive) {
                (*inclusive, *exclusive) = (*i, *e);
            }
        },
    );
}

#[test]
fn scans_are_sums_in_order_also_in_groups_that_end_within_a_warp() -> Result {
    let (device, stream) = cpu()?;
    let kernel = scans::load(&device)?;
    for block in BLOCKS {
        let (mut i, mut e) = (stream.alloc_zeroed::<u32>(block)?, stream.alloc_zeroed::<u32>(block)?);
        kernel.launch(&stream, LaunchConfig::grid(1, block), (&mut i, &mut e))?;
        let sums: Vec<u32> = (1..=block as u32).map(|n| n * (n + 1) / 2).collect();
        let before: Vec<u32> = (0..block as u32).map(|n| 100 + n * (n + 1) / 2).collect();
        assert_eq!((stream.download(&i)?, stream.download(&e)?), (sums, before), "{block} threads");
    }
    Ok(())
}

#[gpu_kernel]
fn shuffles(g: &Group, by: usize, mut errors: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| t.local().x as u32);
    let lanes = g.private(u32::try_from(by).unwrap_or(u32::MAX));
    let shuffled = [
        g.shuffle(&mine, &lanes),
        g.shuffle_xor(&mine, by),
        g.shuffle_up(&mine, by),
        g.shuffle_down(&mine, by),
    ];
    let mut errors_seen = 0;
    for shuffled in &shuffled {
        errors_seen += g.count(&g.map((&mine, shuffled), |_, (mine, shuffled)| mine != shuffled));
    }
    errors.set(g, errors_seen as u32);
}

#[test]
fn shuffles_of_lanes_that_are_not_there_keep_the_threads_own_value() -> Result {
    let (device, stream) = cpu()?;
    let kernel = shuffles::load(&device)?;
    for by in [64, 1 << 16, u32::MAX as usize, 1 << 63] {
        let mut errors = stream.upload(&[99_u32])?;
        kernel.launch(&stream, LaunchConfig::grid(1, 50), (by, &mut errors))?;
        assert_eq!(stream.download(&errors)?, [0], "by {by}");
    }
    Ok(())
}

#[test]
fn the_value_of_a_thread_that_is_not_there_is_a_panic() -> Result {
    #[gpu_kernel]
    fn broadcasts(g: &Group, from: usize, mut out: PerGroup<[u32]>) {
        out.set(g, g.broadcast(&g.map((), |t, ()| t.local().x as u32), from));
    }
    let (device, stream) = cpu()?;
    let kernel = broadcasts::load(&device)?;
    let mut out = stream.alloc_zeroed::<u32>(1)?;
    kernel.launch(&stream, LaunchConfig::grid(1, 50), (49, &mut out))?;
    assert_eq!(stream.download(&out)?, [49]);
    kernel.launch(&stream, LaunchConfig::grid(1, 50), (50, &mut out))?;
    assert_eq!(panicked(&stream), "thread 50 of a group of 50");
    Ok(())
}
