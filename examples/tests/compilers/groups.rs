//! Groups: values that go through workgroup memory in each turn of a loop, that lanes exchange, and that lanes keep at different turns.

use gridwright::prelude::*;

/// A turn's step, which no turn can be without.
#[inline(always)]
fn step(x: u32, from: u32) -> u32 {
    x.rotate_left(5).wrapping_mul(0x9e37_79b1) ^ from
}

/// In each turn everybody takes the neighbour's value of the turn before.
#[gpu_kernel(block = 128)]
fn tiles_in_a_loop(g: &Group, turns: u32, x: &[u32], mut y: PerThread<[u32]>, mut s: Workgroup<[u32; 128]>) {
    g.load(&mut s, x, 0);
    let mut mine = g.map((), |t, ()| x[t.local().x]);
    for turn in 0..turns as usize {
        g.each((&mut mine, s.shared()), |t, (mine, s)| {
            *mine = step(*mine, s[(t.local().x + turn + 1) % 128])
        });
        g.each((&mine, s.elements_mut()), |_, (mine, s)| *s = *mine);
    }
    g.each((&mine, y.elements_mut()), |_, (mine, y)| {
        if let Some(y) = y {
            *y = *mine;
        }
    });
}

/// What it gives.
#[host_only]
fn of_tiles(turns: u32, x: &[u32]) -> Vec<u32> {
    let mut all = x.to_vec();
    for turn in 0..turns as usize {
        all = (0..128).map(|i| step(all[i], all[(i + turn + 1) % 128])).collect();
    }
    all
}

/// Lanes exchange, and the other's value is on either side of an operation that has two.
#[gpu_kernel(block = 64)]
fn exchanges(g: &Group, x: &[u32], mut y: PerThread<[[u32; 12]]>) {
    let mine = g.map((), |t, ()| x[t.index()]);
    g.each_warp((&mine, &mut y), |w, (mine, mut y)| {
        let [a, b, c, d] = [1, 2, 15, 16].map(|mask| w.shuffle_xor(mine, mask));
        let (up, down, width) = (w.shuffle_up(mine, 1), w.shuffle_down(mine, 1), w.len() as u32);
        let mut of_two = w.private([0_u32; 5]);
        w.each((mine, &c, &d, &up, &down, &mut of_two), |_, (x, c, d, up, down, of_two)| {
            *of_two = [
                x.wrapping_shr(*c),
                (*c as i32).wrapping_shr(*x) as u32,
                d.max(x) - d.min(x),
                up.wrapping_sub(*x),
                x.wrapping_sub(*down),
            ];
        });
        w.each((mine, &a, &b, &of_two, y.elements_mut()), |_, (x, a, b, of_two, y)| {
            if let Some(y) = y {
                let [p, q, r, s, t] = *of_two;
                let difference = float(*a) - f32::from_bits(*x & 0x3fff_ffff | 0x80_0000);
                let first = [a.wrapping_sub(*x), x.wrapping_sub(*a), x.wrapping_shl(*b), b.wrapping_shl(*x)];
                let least = (*x as i32).min(*a as i32) as u32;
                let [k, l, m, n] = first;
                *y = [k, l, m, n, p, q, r, least, difference.to_bits(), s, t, width];
            }
        });
    });
}

/// A number that is neither large nor negative.
#[inline(always)]
fn float(x: u32) -> f32 {
    f32::from_bits(x & 0x3fff_ffff)
}

/// Everybody looks for something else, and keeps what was the same for all when it was found.
#[gpu_kernel(block = 64)]
fn searches(g: &Group, k: u32, x: &[u32], mut y: PerThread<[u32]>) {
    let mine = g.map((), |t, ()| {
        let (mut i, mut common) = (0_u32, k);
        loop {
            if i == x[t.index()] & 31 {
                break;
            }
            common = common.wrapping_mul(k | 1).wrapping_add(i);
            i += 1;
        }
        i ^ common
    });
    let sums = g.scan_inclusive(&mine, |a, b| a.wrapping_mul(3).wrapping_add(b));
    g.each((&sums, &mine, y.elements_mut()), |t, (sum, mine, y)| {
        if let Some(y) = y {
            *y = if t.local().x & 1 == 0 { *mine } else { mine.wrapping_add(*sum & 0) };
        }
    });
}

#[host_only]
fn of_search(k: u32, x: u32) -> u32 {
    let common = (0..x & 31).fold(k, |common, i| common.wrapping_mul(k | 1).wrapping_add(i));
    (x & 31) ^ common
}

/// Votes in a loop that ends when nobody is left.
#[gpu_kernel(block = 64)]
fn votes(g: &Group, x: &[u32], mut y: PerThread<[[u32; 3]]>) {
    let mine = g.map((), |t, ()| x[t.index()] & 15);
    g.each_warp((&mine, &mut y), |w, (mine, mut y)| {
        let mut rest = w.map(mine, |_, x| *x);
        let mut turns = 0_u32;
        let mut left = w.map(mine, |_, _| 0_u32);
        while w.any(&w.map(&rest, |_, rest| *rest > 0)) {
            let count = w.count(&w.map(&rest, |_, rest| *rest > 0)) as u32;
            w.each((&mut rest, &mut left), |_, (rest, left)| {
                if *rest > 0 {
                    *left = left.wrapping_mul(5).wrapping_add(count & 1);
                }
                *rest = rest.saturating_sub(1);
            });
            turns += 1;
        }
        let width = w.len() as u32;
        w.each((&left, y.elements_mut()), |_, (left, y)| {
            if let Some(y) = y {
                *y = [turns, *left, width];
            }
        });
    });
}

/// A few bytes and a wide number, reduced together.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Least {
    at: u64,
    value: i16,
    also: i16,
    rest: u32,
}

#[gpu_kernel(block = 128)]
fn least(g: &Group, x: &[u32], mut y: PerGroup<[Least]>) {
    let mine = g.map((), |t, ()| {
        let x = x[t.index()];
        Least { at: t.index() as u64, value: x as i16, also: (x >> 16) as i16, rest: x }
    });
    y.set(
        g,
        g.reduce(&mine, |a, b| {
            let first = if (a.value, a.at) <= (b.value, b.at) { a } else { b };
            Least { also: a.also.max(b.also), rest: a.rest ^ b.rest, ..first }
        }),
    );
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::run::{Result, device, table};

    fn numbers() -> Vec<u32> {
        table().iter().flat_map(|&x| [x as u32, (x >> 32) as u32]).collect()
    }

    #[test]
    fn neighbours_values_are_those_of_the_turn_before() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let x = &numbers()[..128];
        for turns in [1, 2, 7, 40] {
            let mut y = stream.alloc_zeroed::<u32>(128)?;
            let arguments = (turns, &stream.upload(x)?, &mut y);
            tiles_in_a_loop::load(&device)?.launch(&stream, LaunchConfig::grid(1, 128), arguments)?;
            assert_eq!(stream.download(&y)?, of_tiles(turns, x), "{turns} turns");
        }
        Ok(())
    }

    #[test]
    fn what_lanes_exchange_is_the_operand_it_was_meant_to_be() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let x = &numbers()[..128];
        let mut y = stream.alloc_zeroed::<[u32; 12]>(128)?;
        exchanges::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (&stream.upload(x)?, &mut y))?;
        for (i, y) in stream.download(&y)?.into_iter().enumerate() {
            let width = y[11] as usize;
            let [a, b, c, d] = [1, 2, 15, 16].map(|mask| x[i ^ mask]);
            let (x, place, all) = (x[i], i % width, x);
            let up = if place == 0 { x } else { all[i - 1] };
            let down = if place == width - 1 { x } else { all[i + 1] };
            let difference = float(a) - f32::from_bits(x & 0x3fff_ffff | 0x80_0000);
            let right = [
                a.wrapping_sub(x),
                x.wrapping_sub(a),
                x.wrapping_shl(b),
                b.wrapping_shl(x),
                x.wrapping_shr(c),
                (c as i32).wrapping_shr(x) as u32,
                d.max(x) - d.min(x),
                (x as i32).min(a as i32) as u32,
                difference.to_bits(),
                up.wrapping_sub(x),
                x.wrapping_sub(down),
                width as u32,
            ];
            assert_eq!(y, right, "thread {i}");
        }
        Ok(())
    }

    #[test]
    fn lanes_that_leave_a_loop_keep_the_value_of_their_turn() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let x = &numbers()[..128];
        for k in [3, 77] {
            let mut y = stream.alloc_zeroed::<u32>(128)?;
            let arguments = (k, &stream.upload(x)?, &mut y);
            searches::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), arguments)?;
            let right: Vec<u32> = x.iter().map(|&x| of_search(k, x)).collect();
            assert_eq!(stream.download(&y)?, right, "{k}");
        }
        Ok(())
    }

    #[test]
    fn votes_in_a_loop_are_those_of_the_turn() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let x = &numbers()[..128];
        let mut y = stream.alloc_zeroed::<[u32; 3]>(128)?;
        votes::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (&stream.upload(x)?, &mut y))?;
        for (i, y) in stream.download(&y)?.into_iter().enumerate() {
            let width = y[2] as usize;
            let start = i - i % 64 % width;
            let warp = &x[start..start + width.min(64)];
            let most = warp.iter().map(|x| x & 15).max().unwrap_or(0);
            let left = (0..x[i] & 15).fold(0_u32, |left, turn| {
                let count = warp.iter().filter(|&&x| x & 15 > turn).count() as u32;
                left.wrapping_mul(5).wrapping_add(count & 1)
            });
            assert_eq!(y, [most, left, width as u32], "thread {i}");
        }
        Ok(())
    }

    #[test]
    fn small_fields_beside_a_wide_one_are_reduced_apart() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let x = &numbers()[..256];
        let zero = Least { at: 0, value: 0, also: 0, rest: 0 };
        let mut y = stream.upload(&[zero; 2])?;
        least::load(&device)?.launch(&stream, LaunchConfig::grid(2, 128), (&stream.upload(x)?, &mut y))?;
        for (group, y) in stream.download(&y)?.into_iter().enumerate() {
            let x = &x[128 * group..][..128];
            let at = (0..128).min_by_key(|&i| (x[i] as i16, i)).expect("some");
            let right = Least {
                at: (128 * group + at) as u64,
                value: x[at] as i16,
                also: x.iter().map(|&x| (x >> 16) as i16).max().expect("some"),
                rest: x.iter().fold(0, |all, x| all ^ x),
            };
            assert_eq!(y, right, "group {group}");
        }
        Ok(())
    }
}
