//! Kernels of workgroups.

use gridwright::prelude::*;

#[gpu_kernel]
fn neighbours(
    g: &Group,
    x: &[u32],
    mut y: PerThread<[u32]>,
    mut row: Workgroup<[u32]>,
    mut fixed: Workgroup<[u32; 4]>,
) {
    let width = row.len();
    g.load(&mut row, x, g.index() * width);
    g.load(&mut fixed, x, 0);
    g.each((row.shared(), fixed.shared(), y.elements_mut()), |t, (row, fixed, y)| {
        if let Some(y) = y {
            *y = row[(t.local().x + 1) % width] + fixed[t.local().x % 4];
        }
    });
}

#[gpu_kernel]
fn sums(g: &Group, x: &[u32], mut y: PerThread<[[u32; 4]]>, mut totals: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let total = g.reduce(&mine, |a, b| a + b);
    let so_far = g.scan_inclusive(&mine, |a, b| a + b);
    let before = g.scan_exclusive(&mine, 0, u32::max);
    let last = g.broadcast(&mine, g.len() - 1);
    totals.set(g, total);
    g.each((&so_far, &before, y.elements_mut()), |_, (so_far, before, y)| {
        if let Some(y) = y {
            *y = [total, *so_far, *before, last];
        }
    });
}

#[gpu_kernel]
fn warps(g: &Group, x: &[u32], mut y: PerThread<[[u64; 6]]>) {
    g.each_warp(&mut y, |w, mut y| {
        let mine = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let odd = w.map(&mine, |_, x| x % 2 == 1);
        let (sum, mask, width) = (w.reduce(&mine, |a, b| a + b), w.ballot(&odd), w.len());
        let (next, other) = (w.shuffle_down(&mine, 1), w.shuffle_xor(&mine, 3));
        w.each((&next, &other, y.elements_mut()), |t, (next, other, y)| {
            if let Some(y) = y {
                *y = [
                    width as u64,
                    t.lane() as u64,
                    u64::from(sum),
                    mask,
                    u64::from(*next),
                    u64::from(*other),
                ];
            }
        });
    });
}

#[gpu_kernel]
fn bins(g: &Group, x: &[u32], total: Atomic<[u32]>, mut bins: Workgroup<[u32; 16]>) {
    g.fill(&mut bins, 0);
    g.each(bins.atomic(), |t, bins| {
        if let Some(&x) = x.get(t.index()) {
            bins.fetch_add(t, x as usize % 16, 1);
        }
    });
    g.each(bins.elements().take(16), |t, count| {
        total.fetch_add(t, t.local().x, *count);
    });
}

#[gpu_kernel(block = (8, 4))]
fn tiles(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<8, 16>>) {
    g.each(m.patches_mut::<2, 2>(), |t, patch| {
        let owner = 100 * t.local().y + t.local().x;
        patch.for_each(|row, col, element| *element += (10_000 * (2 * row + col) + owner) as u32);
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::feature::{Result, feature, numbers};

    #[test]
    fn workgroup_memory() -> Result {
        feature("workgroup kernels, workgroup memory of the launch's size", |device, stream| {
            let (kernel, host) = (neighbours::load(device)?, numbers(192));
            let x = stream.upload(&host)?;
            for width in [32, 96] {
                let mut y = stream.alloc_zeroed::<u32>(192)?;
                let config = LaunchConfig::grid(192 / width, width).workgroup::<u32>(width);
                kernel.launch(stream, config, (&x, &mut y))?;
                for (i, y) in stream.download(&y)?.into_iter().enumerate() {
                    let place = i % width;
                    assert_eq!(y, host[i - place + (place + 1) % width] + host[place % 4], "{i} of {width}");
                }
            }
            Ok(())
        })
    }

    #[test]
    fn collectives() -> Result {
        feature("collectives: `reduce`, scans, `broadcast`", |device, stream| {
            let (kernel, host) = (sums::load(device)?, numbers(192));
            let x = stream.upload(&host)?;
            for block in [64, 96] {
                let mut y = stream.alloc_zeroed::<[u32; 4]>(192)?;
                let mut totals = stream.alloc_zeroed::<u32>(192 / block)?;
                let config = LaunchConfig::grid(192 / block, block);
                kernel.launch(stream, config, (&x, &mut y, &mut totals))?;
                let (y, totals) = (stream.download(&y)?, stream.download(&totals)?);
                for (group, y) in host.chunks(block).zip(y.chunks(block)) {
                    let (total, last) = (group.iter().sum::<u32>(), group[block - 1]);
                    assert!(totals.contains(&total));
                    for i in 0..block {
                        let before = group[..i].iter().max().copied().unwrap_or(0);
                        assert_eq!(y[i], [total, group[..=i].iter().sum(), before, last], "{i} of {block}");
                    }
                }
            }
            Ok(())
        })
    }

    #[test]
    fn each_warp() -> Result {
        feature("warps as groups of their own: `each_warp`, votes, shuffles", |device, stream| {
            let host = numbers(160);
            let x = stream.upload(&host)?;
            let mut y = stream.alloc_zeroed::<[u64; 6]>(160)?;
            warps::load(device)?.launch(stream, LaunchConfig::grid(2, 80), (&x, &mut y))?;
            let y = stream.download(&y)?;
            for (group, y) in host.chunks(80).zip(y.chunks(80)) {
                let mut first = 0;
                while first < 80 {
                    // As many lanes as the device says; the last warp has what is left.
                    let width = y[first][0] as usize;
                    assert!(width == 80 - first || matches!(width, 4 | 8 | 16 | 32 | 64), "{width}");
                    let warp = &group[first..first + width];
                    let sum: u32 = warp.iter().sum();
                    let mask: u64 = (0..).zip(warp).map(|(lane, x)| u64::from(x % 2) << lane).sum();
                    for lane in 0..width {
                        let of = |other: usize| u64::from(*warp.get(other).unwrap_or(&warp[lane]));
                        let votes = [width as u64, lane as u64, u64::from(sum), mask];
                        let shuffles = [of(lane + 1), of(lane ^ 3)];
                        assert_eq!(y[first + lane], *[&votes[..], &shuffles].concat(), "{lane} of {width}");
                    }
                    first += width;
                }
            }
            Ok(())
        })
    }

    #[test]
    fn atomics() -> Result {
        feature("atomics in workgroup memory", |device, stream| {
            let host = numbers(200);
            let mut total = stream.alloc_zeroed::<u32>(16)?;
            let arguments = (&stream.upload(&host)?, &mut total);
            bins::load(device)?.launch(stream, LaunchConfig::threads(200).block(64), arguments)?;
            let mut expected = [0; 16];
            host.iter().for_each(|&x| expected[x as usize % 16] += 1);
            assert_eq!(stream.download(&total)?, expected);
            Ok(())
        })
    }

    #[test]
    fn patches() -> Result {
        feature("tiles of a matrix larger than the block", |device, stream| {
            let (rows, cols) = (11, 37);
            let mut m = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
            tiles::load(device)?.launch(stream, LaunchConfig::for_matrix(rows, cols), (&mut m,))?;
            for (i, element) in stream.download(&m)?.into_iter().enumerate() {
                let (row, col) = (i / cols, i % cols);
                let owner = 100 * (row % 8 / 2) + col % 16 / 2;
                assert_eq!(element as usize, 10_000 * (2 * (row % 2) + col % 2) + owner, "{row} {col}");
            }
            Ok(())
        })
    }
}
