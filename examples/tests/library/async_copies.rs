//! Copies to workgroup memory that run while the group does something else.

use core::mem::ManuallyDrop;

use gridwright::prelude::*;

const T: usize = 16;

/// C = A·B: while one pair of tiles is multiplied, the next is copied.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
fn matmul_two_stages(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut a_tiles: Workgroup<[[[f32; T]; T]; 2]>,
    mut b_tiles: Workgroup<[[[f32; T]; T]; 2]>,
) {
    let (row, col) = (g.origin().y, g.origin().x);
    let mut acc = g.private(0.0_f32);
    let ([a0, a1], [b0, b1]) = (a_tiles.stages(), b_tiles.stages());
    g.copies(|copies| {
        let mut loading = (copies.load_tile(a0, a, row, 0), copies.load_tile(b0, b, 0, col));
        let mut free = (a1, b1);
        for k in (0..a.cols()).step_by(T) {
            let next = (copies.load_tile(free.0, a, row, k + T), copies.load_tile(free.1, b, k + T, col));
            let (ta, tb) = copies.wait(loading);
            g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
                let l = t.local();
                for i in 0..T {
                    *acc += ta[l.y][i] * tb[i][l.x];
                }
            });
            (loading, free) = (next, (ta, tb));
        }
    });
    g.each((&acc, c.elements_mut()), |_, (acc, c)| {
        if let Some(c) = c {
            *c = *acc;
        }
    });
}

/// Each thread adds an element of each window, from its end. Two copies are ahead of the one that is added.
#[gpu_kernel(block = 64)]
fn three_stages(g: &Group, x: &[f64], mut out: PerThread<[f64]>, mut stages: Workgroup<[[f64; 64]; 3]>) {
    let mut acc = g.private(0.0_f64);
    let [first, second, mut free] = stages.stages();
    g.copies(|copies| {
        let mut first = copies.load(first, x, 0);
        let mut second = copies.load(second, x, 64);
        for at in (0..x.len()).step_by(64) {
            let third = copies.load(free, x, at + 128);
            let ready = copies.wait(first);
            g.each((&mut acc, ready.shared()), |t, (acc, window)| *acc += window[63 - t.local().x]);
            (first, second, free) = (second, third, ready);
        }
    });
    g.each((&acc, out.elements_mut()), |_, (acc, out)| {
        if let Some(out) = out {
            *out = *acc;
        }
    });
}

/// 12 bytes that lie at multiples of four.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Point {
    at: [f32; 3],
}

/// Elements of several widths, from any place, to memory of any size, in reverse.
#[gpu_kernel(block = 32)]
fn widths(
    g: &Group,
    start: usize,
    bytes: &[u8],
    words: &[u32],
    points: &[Point],
    mut out: PerThread<[[u32; 4]]>,
    mut some_bytes: Workgroup<[u8; 37]>,
    mut some_words: Workgroup<[u32]>,
    mut some_points: Workgroup<[Point; 33]>,
) {
    let half = some_words.len() / 2;
    let own: [u32; 32] = core::array::from_fn(|i| (i as u32).wrapping_mul(start as u32));
    g.copies(|copies| {
        let (low, high) = some_words.split_at_mut(half);
        let some_bytes = copies.load(some_bytes.flat(), bytes, start);
        let low = copies.load(low, words, start);
        let some_points = copies.load(some_points.flat(), points, start);
        // Not in global memory.
        let high = copies.load(high, &own, 0);
        let (some_bytes, low, some_points, high) = copies.wait((some_bytes, low, some_points, high));
        let views =
            (some_bytes.shared(), low.shared(), some_points.shared(), high.shared(), out.elements_mut());
        g.each(views, |t, (some_bytes, low, some_points, high, out)| {
            let at = 31 - t.local().x;
            if let Some(out) = out {
                *out = [some_bytes[at].into(), low[at], some_points[at].at[2] as u32, high[at]];
            }
        });
    });
}

/// A tile from anywhere in a matrix and around it.
#[gpu_kernel(block = (24, 5))]
fn borders(
    g: &Group,
    row: usize,
    col: usize,
    m: &Matrix<u32>,
    mut out: PerThread<Matrix<u32>>,
    tile: Workgroup<[[u32; 24]; 5]>,
) {
    g.copies(|copies| {
        let loading = copies.load_tile(tile, m, row, col);
        let tile = copies.wait(loading);
        g.each((tile.elements(), out.elements_mut()), |_, (slot, out)| {
            if let Some(out) = out {
                *out = *slot;
            }
        });
    });
}

/// What isn't waited for, or forgotten, can be used again when all copies have ended.
#[gpu_kernel(block = 32)]
fn forgotten(g: &Group, x: &[u32], mut out: PerThread<[u32]>, mut tile: Workgroup<[u32; 64]>) {
    g.copies(|copies| {
        let (low, high) = tile.flat().split_at_mut(32);
        drop(copies.load(low, x, 0));
        let _forgotten = ManuallyDrop::new(copies.load(high, x, 32));
    });
    g.each((tile.shared(), out.elements_mut()), |t, (tile, out)| {
        if let Some(out) = out {
            *out = tile[t.local().x] * 1000 + tile[63 - t.local().x];
        }
    });
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;

    use super::*;
    use crate::device;
    use crate::ptx::entry;

    /// Whole numbers, so that no order of the sums rounds.
    fn numbers(n: usize, below: usize) -> Vec<f32> {
        (0..n).map(|i| (i * 7 % below) as f32).collect()
    }

    #[test]
    fn products_of_matrices_by_two_stages() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        // Rows at multiples of 16 bytes and not, tiles inside and beyond each edge.
        for (m, k, n) in [(16, 32, 16), (20, 50, 40), (32, 64, 48), (1, 1, 1), (17, 20, 36), (3, 0, 5)] {
            let (x, y) = (numbers(m * k, 11), numbers(k * n, 13));
            let (a, b) = (stream.upload_matrix(m, k, &x)?, stream.upload_matrix(k, n, &y)?);
            let mut c = stream.upload_matrix(m, n, &vec![-1.0; m * n])?;
            let kernel = matmul_two_stages::load(&device)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(m, n), (&a, &b, &mut c))?;
            let expected: Vec<f32> =
                (0..m * n).map(|i| (0..k).map(|l| x[i / n * k + l] * y[l * n + i % n]).sum()).collect();
            assert_eq!(stream.download(&c)?, expected, "{m} × {k} × {n}");
        }
        Ok(())
    }

    #[test]
    fn sums_of_windows_by_three_stages() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        for len in [1000, 64, 1, 0, 193] {
            let x: Vec<f64> = numbers(len, 17).into_iter().map(f64::from).collect();
            let on_device = stream.upload(&x)?;
            let mut sums = stream.upload(&[-1.0; 64])?;
            let kernel = three_stages::load(&device)?;
            kernel.launch(&stream, LaunchConfig::threads(64), (&on_device, &mut sums))?;
            let expected: Vec<f64> = (0..64).map(|i| x.iter().skip(63 - i).step_by(64).sum()).collect();
            assert_eq!(stream.download(&sums)?, expected, "{len}");
        }
        Ok(())
    }

    #[test]
    fn elements_of_any_width_from_any_place() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let bytes: Vec<u8> = (0..50).collect();
        let words: Vec<u32> = (0..50).map(|i| 1000 + i).collect();
        let points: Vec<Point> = (0..50_u8).map(|i| Point { at: [0.0, 1.0, f32::from(i)] }).collect();
        let (on_bytes, on_words, on_points) =
            (stream.upload(&bytes)?, stream.upload(&words)?, stream.upload(&points)?);
        let mut out = stream.alloc_zeroed::<u32>(4 * 32)?;
        let kernel = widths::load(&device)?;
        let before = [1, 3, 4, 16, 31, 32, 33].map(usize::wrapping_neg);
        for start in [0, 1, 3, 4, 16, 49, 50, 51].into_iter().chain(before) {
            let config = LaunchConfig::threads(32).workgroup::<u32>(64);
            kernel.launch(&stream, config, (start, &on_bytes, &on_words, &on_points, &mut out))?;
            let expected: Vec<u32> = (0..32_usize)
                .flat_map(|thread| {
                    let at = (31 - thread).wrapping_add(start);
                    let own = (31 - thread as u32).wrapping_mul(start as u32);
                    let byte = bytes.get(at).copied().unwrap_or(0);
                    let point = points.get(at).map_or(0.0, |point| point.at[2]);
                    [byte.into(), words.get(at).copied().unwrap_or(0), point as u32, own]
                })
                .collect();
            assert_eq!(stream.download(&out)?, expected, "{start}");
        }
        Ok(())
    }

    #[test]
    fn tiles_from_around_a_matrix() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = borders::load(&device)?;
        // With rows that begin at multiples of 16 bytes, and others.
        for (rows, cols) in [(7, 40), (7, 41), (2, 3)] {
            let host: Vec<u32> = (1..).take(rows * cols).collect();
            let m = stream.upload_matrix(rows, cols, &host)?;
            let starts =
                [0, 1, 4, 39, 41].into_iter().chain([1, 2, 4, 5, 23, 24, 25].map(usize::wrapping_neg));
            for (row, col) in starts.clone().flat_map(|row| starts.clone().map(move |col| (row, col))) {
                let mut out = stream.alloc_matrix_zeroed(5, 24)?;
                kernel.launch(&stream, LaunchConfig::grid(1, (24, 5)), (row, col, &m, &mut out))?;
                let at = |i: usize| {
                    let (row, col) = (row.wrapping_add(i / 24), col.wrapping_add(i % 24));
                    if row < rows && col < cols { host[row * cols + col] } else { 0 }
                };
                let expected: Vec<_> = (0..5 * 24).map(at).collect();
                assert_eq!(stream.download(&out)?, expected, "{rows} x {cols} from ({row}, {col})");
            }
        }
        Ok(())
    }

    #[test]
    fn what_was_forgotten_has_ended_with_the_scope() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x: Vec<u32> = (0..64).collect();
        let x = stream.upload(&x)?;
        let mut out = stream.alloc_zeroed(32)?;
        forgotten::load(&device)?.launch(&stream, LaunchConfig::threads(32), (&x, &mut out))?;
        let expected: Vec<u32> = (0..32).map(|i| i * 1000 + 63 - i).collect();
        assert_eq!(stream.download(&out)?, expected);
        Ok(())
    }

    /// Copies of the hardware, of 4, 8 and 16 bytes, and as many of them left to go on as were begun later.
    #[test]
    fn the_hardware_copies() {
        let kernels = ["matmul_two_stages", "three_stages", "widths"].map(entry);
        let [Some(two), Some(three), Some(widths)] = &kernels else { return };
        for (body, copies) in [
            (two, &["cp.async.ca.shared.global", "cp.async.cg.shared.global"][..]),
            (three, &["cp.async.cg.shared.global"]),
        ] {
            assert!(copies.iter().all(|copy| body.contains(copy)), "{body}");
            assert!(!body.contains("st.shared"), "the threads copy: {body}");
            assert!(!body.contains(".local"), "memory of a thread's own: {body}");
        }
        assert!(two.contains("cp.async.wait_group 2;"), "two copies of the next turn go on: {two}");
        assert!(three.contains("cp.async.wait_group 2;"), "two copies go on: {three}");
        assert!(widths.contains("cp.async.wait_group 0;") && widths.contains("st.shared.b8"), "{widths}");
    }
}
