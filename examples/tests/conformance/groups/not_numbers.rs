//! Floats that aren't numbers, among others: results are those of the same operations one by one, and loops end.

use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, open, sizes};

/// Numbers, and here and there one that isn't: alone in its group, several together, and so many that whole groups have nothing
/// else.
fn floats(n: usize) -> Vec<f32> {
    let special = [f32::NAN, f32::INFINITY, -f32::NAN, f32::MIN_POSITIVE / 2.0, f32::NEG_INFINITY, f32::MAX];
    let of = |i: usize| match i {
        350..950 | 2000..4500 => f32::NAN,
        _ if i % 37 == 5 => special[i / 37 % special.len()],
        _ => (i * 7919 % 1009) as f32 - 300.5,
    };
    (0..n).map(of).collect()
}

/// Whether two floats are the same, where one that isn't a number is like another.
fn same(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[gpu_kernel]
fn combined_floats(g: &Group, x: &[f32], mut out: PerThread<[[f32; 5]]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(1.0));
    let (most, least) = (g.reduce(&mine, f32::max), g.reduce(&mine, f32::min));
    let any = g.reduce(&mine, |a, b| a + b);
    let count = g.count(&g.map(&mine, |_, x| x.is_nan())) as f32;
    let most_so_far = g.scan_inclusive(&mine, f32::max);
    g.each((&most_so_far, out.elements_mut()), |_, (so_far, out)| {
        if let Some(out) = out {
            *out = [most, least, any, count, *so_far];
        }
    });
}

#[test]
fn collectives_of_what_is_not_a_number() -> Result {
    let (device, stream) = open()?;
    let kernel = combined_floats::load(&device)?;
    let n = sizes(&device, &[7001], &[1100])[0];
    let host = floats(n);
    let x = stream.upload(&host)?;
    for &block in blocks(&device) {
        let mut out = stream.alloc_zeroed::<f32>(n * 5)?;
        kernel.launch(&stream, LaunchConfig::threads(n).block(block), (&x, &mut out))?;
        let out = stream.download(&out)?;
        let mut padded = host.clone();
        padded.resize(n.next_multiple_of(block), 1.0);
        for (group, values) in padded.chunks(block).enumerate() {
            let (most, least) =
                (values.iter().copied().reduce(f32::max), values.iter().copied().reduce(f32::min));
            let count = values.iter().filter(|x| x.is_nan()).count() as f32;
            let infinite = |x: f32| values.contains(&x);
            let sum_is_nan = count > 0.0 || infinite(f32::INFINITY) && infinite(f32::NEG_INFINITY);
            let mut so_far = values[0];
            for (i, x) in values.iter().enumerate().take(n.saturating_sub(group * block)) {
                so_far = so_far.max(*x);
                let at = 5 * (group * block + i);
                let place = format!("thread {i} of group {group} of {block}");
                let &[found_most, found_least, sum, found_count, found_so_far] = &out[at..at + 5] else {
                    panic!("{place}")
                };
                assert!(
                    most.is_some_and(|most| same(found_most, most)),
                    "{place}: {found_most}, not {most:?}"
                );
                assert!(
                    least.is_some_and(|least| same(found_least, least)),
                    "{place}: {found_least}, not {least:?}"
                );
                assert_eq!((sum.is_nan(), found_count), (sum_is_nan, count), "{place}");
                assert!(same(found_so_far, so_far), "{place}: {found_so_far}, not {so_far}");
            }
        }
    }
    Ok(())
}

/// How often a float may grow by half until it isn't below the limit. What isn't a number is never below.
fn grow(x: &mut f32, limit: f32) -> bool {
    *x *= 1.5;
    *x < limit
}

#[gpu_kernel]
fn grows(g: &Group, x: &[f32], limit: f32, mut out: PerThread<[[f32; 2]]>) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).map_or(1.0, |x| x.abs()));
    let mut turns = g.private(0.0_f32);
    g.each_while((&mut mine, &mut turns), |_, (mine, turns)| {
        *turns += 1.0;
        grow(mine, limit)
    });
    g.each((&mine, &turns, out.elements_mut()), |_, (mine, turns, out)| {
        if let Some(out) = out {
            *out = [*mine, *turns];
        }
    });
}

#[test]
fn a_loop_that_compares_what_is_not_a_number_ends() -> Result {
    let (device, stream) = open()?;
    let kernel = grows::load(&device)?;
    let n = sizes(&device, &[5003], &[1100])[0];
    let host = floats(n);
    let x = stream.upload(&host)?;
    for (block, limit) in blocks(&device).iter().flat_map(|&block| [(block, 1e6), (block, f32::NAN)]) {
        let mut out = stream.alloc_zeroed::<f32>(2 * n)?;
        kernel.launch(&stream, LaunchConfig::threads(n).block(block), (&x, limit, &mut out))?;
        for (i, found) in stream.download(&out)?.chunks(2).enumerate() {
            let (mut mine, mut turns) = (host[i].abs(), 1.0);
            while grow(&mut mine, limit) {
                turns += 1.0;
            }
            assert!(
                same(found[0], mine) && found[1] == turns,
                "{i} of {block}: {found:?}, not {mine} after {turns}"
            );
        }
    }
    Ok(())
}

/// What differs between numbers and others.
fn operations(x: f32, y: f32) -> [f32; 8] {
    [
        x.max(y),
        x.min(y),
        x.abs().sqrt(),
        x.mul_add(y, 1.0),
        x / y,
        (x as i32) as f32,
        if x < y { 1.0 } else { 2.0 },
        if x == y || x >= 0.0 { x } else { y },
    ]
}

#[gpu_kernel]
fn of_threads(t: Thread, x: &[f32], y: &[f32], mut out: PerThread<[[f32; 8]]>) {
    let i = t.index();
    if let (Some(out), Some(x), Some(y)) = (out.get_mut(t), x.get(i), y.get(i)) {
        *out = operations(*x, *y);
    }
}

#[test]
fn operations_on_what_is_not_a_number_are_those_of_one_thread() -> Result {
    let (device, stream) = open()?;
    let n = sizes(&device, &[10_007], &[1100])[0];
    let (x, mut y) = (floats(n), floats(n));
    y.rotate_left(74);
    let (on_device, other) = (stream.upload(&x)?, stream.upload(&y)?);
    let mut out = stream.alloc_zeroed::<f32>(8 * n)?;
    of_threads::load(&device)?.launch(&stream, LaunchConfig::threads(n), (&on_device, &other, &mut out))?;
    for (i, found) in stream.download(&out)?.chunks(8).enumerate() {
        let expected = operations(x[i], y[i]);
        assert!(
            found.iter().zip(expected).all(|(&found, expected)| same(found, expected)),
            "{i}: {found:?}, not {expected:?} of {} and {}",
            x[i],
            y[i]
        );
    }
    Ok(())
}
