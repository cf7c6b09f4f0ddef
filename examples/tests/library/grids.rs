//! Kernels of a whole grid.

use gridwright::prelude::*;

/// Jacobi's method for the heat of a rod whose ends are kept: until no element changes by more than `least`.
#[gpu_kernel(requires = now.len() == next.len())]
fn jacobi(
    grid: &Grid,
    least: f32,
    mut now: GridMemory<[f32]>,
    mut next: GridMemory<[f32]>,
    mut turns: PerThread<[u32]>,
) {
    let (last, mut now, mut next) = (now.len() - 1, now.reborrow(), next.reborrow());
    let mut count = 0;
    loop {
        let mut change = grid.private(0.0_f32);
        grid.each((next.grid_stride_mut(), now.shared(), &mut change), |_, (next, now, change)| {
            next.for_each(|i, next| {
                *next = if i == 0 || i == last { now[i] } else { (now[i - 1] + now[i + 1]) / 2.0 };
                *change = change.max((*next - now[i]).abs());
            });
        });
        core::mem::swap(&mut now, &mut next);
        count += 1;
        if grid.reduce(&change, f32::max) <= least {
            break;
        }
    }
    grid.each((next.grid_stride_mut(), now.shared()), |_, (next, now)| {
        next.for_each(|i, next| *next = now[i]);
    });
    grid.each(turns.elements_mut(), |_, turns| {
        if let Some(turns) = turns {
            *turns = count;
        }
    });
}

/// The sum of a value of each thread: a tree in each group, whose sums are then added one after the other.
#[inline(always)]
fn sum<S: GroupShape>(
    grid: &Grid<'_, S>,
    values: &Private<'_, f64>,
    sums: &mut GridMemory<'_, [f64]>,
    scratch: &mut Workgroup<'_, [f64; 64]>,
) -> f64 {
    grid.each_group((values, sums.per_group(), scratch), |g, (values, mut sum, mut scratch)| {
        g.each((scratch.elements_mut(), values), |_, (slot, value)| *slot = *value);
        let mut half = 32;
        while half > 0 {
            let (low, high) = scratch.flat().split_at_mut(half);
            g.each((low.elements_mut().take(half), high.elements().take(half)), |_, (low, high)| {
                *low += *high;
            });
            half /= 2;
        }
        sum.set(g, g.read(&scratch, 0));
    });
    let mut total = 0.0;
    for group in 0..grid.groups() {
        total += grid.read(sums, group);
    }
    total
}

/// An element of the product of the matrix that has 2 on the diagonal and -1 beside it.
fn product(x: &[f64], i: usize) -> f64 {
    let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
    2.0 * at(i) - at(i.wrapping_sub(1)) - at(i + 1)
}

/// Conjugate gradients, from zero on: as many turns as the residual takes to fall below `least`.
#[gpu_kernel(block = 64, requires = x.len() == residual.len() && x.len() == direction.len())]
fn conjugate_gradients(
    grid: &Grid,
    least: f64,
    mut x: GridMemory<[f64]>,
    mut residual: GridMemory<[f64]>,
    mut direction: GridMemory<[f64]>,
    mut sums: GridMemory<[f64]>,
    mut scratch: Workgroup<[f64; 64]>,
) {
    let square = |r: Option<&f64>| r.map_or(0.0, |r| r * r);
    let mine = grid.map(residual.shared(), |t, r| square(r.get(t.index())));
    let mut squares = sum(grid, &mine, &mut sums, &mut scratch);
    while squares > least {
        let mine = grid.map(direction.shared(), |t, d| {
            let i = t.index();
            d.get(i).map_or(0.0, |element| element * product(d, i))
        });
        let step = squares / sum(grid, &mine, &mut sums, &mut scratch);
        grid.each((x.elements_mut(), residual.elements_mut(), direction.shared()), |t, (x, r, d)| {
            if let (Some(x), Some(r)) = (x, r) {
                *x += step * d[t.index()];
                *r -= step * product(d, t.index());
            }
        });
        let mine = grid.map(residual.shared(), |t, r| square(r.get(t.index())));
        let now = sum(grid, &mine, &mut sums, &mut scratch);
        let share = now / squares;
        squares = now;
        grid.each((direction.elements_mut(), residual.shared()), |t, (d, r)| {
            if let Some(d) = d {
                *d = r[t.index()] + share * *d;
            }
        });
    }
}

/// Sums of all elements before each, of which each thread has one: in groups, and then those of the groups before.
#[gpu_kernel]
fn offsets(grid: &Grid, mut x: GridMemory<[u32]>, mut totals: GridMemory<[u32]>) {
    grid.each_group((x.per_thread(), totals.per_group()), |g, (mut x, mut total)| {
        let mine = g.map(x.elements_mut(), |_, x| x.map_or(0, |x| *x));
        let before = g.scan_exclusive(&mine, 0, |a, b| a + b);
        total.set(g, g.reduce(&mine, |a, b| a + b));
        g.each((x.elements_mut(), &before), |_, (x, before)| {
            if let Some(x) = x {
                *x = *before;
            }
        });
    });
    grid.each((x.elements_mut(), totals.shared()), |t, (x, totals)| {
        if let Some(x) = x {
            *x += totals[..t.group_index()].iter().sum::<u32>();
        }
    });
}

/// What the grid as a whole computes, and what threads know of themselves.
#[gpu_kernel]
fn facts(grid: &Grid, mut flags: GridMemory<[u32]>, mut y: PerThread<[[u32; 8]]>) {
    let index = grid.map((), |t, ()| t.index() as u32);
    let sum = grid.reduce(&index, |a, b| a + b);
    let greatest = grid.reduce(&index, u32::max);
    let even = grid.map(&index, |_, i| i % 2 == 0);
    let count = grid.count(&even) as u32;
    let (any, all) = (grid.any(&even), grid.all(&even));
    let before = grid.read(&flags, 1);
    grid.set(&mut flags, 1, sum);
    let after = grid.read(&flags, 1);
    grid.each(y.elements_mut(), |t, y| {
        if let Some(y) = y {
            let place = (t.group_index() * 1000 + t.local().x) as u32;
            let votes = u32::from(any) + 2 * u32::from(all);
            *y = [sum, greatest, count, votes, before, after, place, t.lane() as u32];
        }
    });
}

/// A thread panics, and the others wait for it at a barrier.
#[gpu_kernel]
fn one_panics(grid: &Grid, who: u32, mut x: GridMemory<[u32]>) {
    let mut turns = 0;
    while turns < 3 {
        grid.each(x.elements_mut(), |t, x| {
            assert!(t.index() as u32 != who, "it is this one");
            if let Some(x) = x {
                *x += 1;
            }
        });
        turns = grid.read(&x, 0);
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::device;
    use gridwright::{ConfigError, DeviceKind, Error};

    type Result = std::result::Result<(), Error>;

    #[test]
    fn jacobi_iterates_until_nothing_changes() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let mut rod: Vec<f32> = (0..150).map(|i| (i * 37 % 11) as f32).collect();
        let (mut now, mut next) = (stream.upload(&rod)?, stream.alloc_zeroed::<f32>(150)?);
        // Fewer threads than elements, and groups that aren't of whole warps.
        let mut turns = stream.alloc_zeroed::<u32>(120)?;
        let config = LaunchConfig::grid(3, 40);
        jacobi::load(&device)?.launch(&stream, config, (0.2, &mut now, &mut next, &mut turns))?;
        let mut count = 0;
        loop {
            let mut turned = rod.clone();
            for i in 1..149 {
                turned[i] = (rod[i - 1] + rod[i + 1]) / 2.0;
            }
            let change = rod.iter().zip(&turned).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            (rod, count) = (turned, count + 1);
            if change <= 0.2 {
                break;
            }
        }
        assert!(count > 10, "{count}");
        assert_eq!(stream.download(&turns)?, [count; 120]);
        assert_eq!(stream.download(&now)?, rod);
        assert_eq!(stream.download(&next)?, rod);
        Ok(())
    }

    #[test]
    fn conjugate_gradients_converge() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let b: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 11) - 5.0).collect();
        let mut x = stream.alloc_zeroed::<f64>(100)?;
        let (mut residual, mut direction) = (stream.upload(&b)?, stream.upload(&b)?);
        let mut sums = stream.alloc_zeroed::<f64>(2)?;
        let arguments = (1e-20, &mut x, &mut residual, &mut direction, &mut sums);
        conjugate_gradients::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), arguments)?;
        let x = stream.download(&x)?;
        for (i, b) in b.iter().enumerate() {
            assert!((product(&x, i) - b).abs() < 1e-8, "{i}: {} {b}", product(&x, i));
        }
        Ok(())
    }

    #[test]
    fn groups_of_a_grid_have_phases_of_their_own() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let host: Vec<u32> = (0..290).map(|i| i * 37 % 101).collect();
        let (mut x, mut totals) = (stream.upload(&host)?, stream.alloc_zeroed::<u32>(3)?);
        offsets::load(&device)?.launch(&stream, LaunchConfig::grid(3, 100), (&mut x, &mut totals))?;
        let expected = host.iter().scan(0, |sum, x| Some(std::mem::replace(sum, *sum + x)));
        assert!(stream.download(&x)?.into_iter().eq(expected));
        let sums: Vec<u32> = host.chunks(100).map(|group| group.iter().sum()).collect();
        assert_eq!(stream.download(&totals)?, sums);
        Ok(())
    }

    #[test]
    fn a_grid_agrees_on_what_it_computes() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let mut flags = stream.upload(&[5, 6, 7])?;
        let mut y = stream.alloc_zeroed::<[u32; 8]>(150)?;
        facts::load(&device)?.launch(&stream, LaunchConfig::grid(2, 75), (&mut flags, &mut y))?;
        let sum = 149 * 150 / 2;
        for (i, y) in (0..).zip(stream.download(&y)?) {
            assert_eq!(y[..7], [sum, 149, 75, 1, 6, sum, i / 75 * 1000 + i % 75], "{i}");
            assert!([4, 8, 16, 32, 64].iter().any(|size| y[7] == i % 75 % size), "{i}: {}", y[7]);
        }
        assert_eq!(stream.download(&flags)?, [5, sum, 7]);
        Ok(())
    }

    #[test]
    fn a_panic_ends_the_grid() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = one_panics::load(&device)?;
        let config = LaunchConfig::grid(3, 40);
        // The thread that comes to the barrier for its group, one of another group, and nobody.
        for who in [0, 57, 1000] {
            let mut x = stream.alloc_zeroed::<u32>(120)?;
            kernel.launch(&stream, config, (who, &mut x))?;
            let result = stream.synchronize();
            if who < 120 {
                let error = result.expect_err("a thread panicked");
                assert!(matches!(&error, Error::KernelPanic { .. }), "{error}");
                assert!(error.to_string().contains("it is this one"), "{error}");
            } else {
                result?;
                assert_eq!(stream.download(&x)?, [3; 120]);
            }
        }
        Ok(())
    }

    #[test]
    fn groups_that_do_not_fit_together_are_refused() -> Result {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = one_panics::load(&device)?;
        let mut x = stream.alloc_zeroed::<u32>(64)?;
        if device.kind() != DeviceKind::Cpu {
            let most = kernel.occupancy(64)?.groups();
            let refused = kernel.launch(&stream, LaunchConfig::grid(most + 1, 64), (u32::MAX, &mut x));
            let error = refused.expect_err("one more than the device holds");
            let Error::InvalidConfig { reason: ConfigError::Cooperative { groups, most: told }, .. } = error
            else {
                panic!("{error}");
            };
            assert_eq!((groups, told), (most as u128 + 1, most as u128));
        }
        let refused = kernel.launch(&stream, LaunchConfig::grid((2, 2), 64), (u32::MAX, &mut x));
        assert!(matches!(refused, Err(Error::InvalidConfig { .. })), "a grid has one dimension: {refused:?}");
        Ok(())
    }
}
