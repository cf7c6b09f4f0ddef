//! What kernels call beyond their own memory: functions, numbers, parts of warps, the grid, matrix units.

use gridwright::matrix::{Accumulator, MatrixA, MatrixB};
use gridwright::memory::Vector;
use gridwright::numbers::{F16, F16x2};
use gridwright::prelude::*;
use gridwright::random::Philox;
use gridwright::{cache, int, math};

#[gpu_kernel(requires = x.len() == y.len())]
fn functions(t: Thread, x: &[f32], mut y: PerThread<[[f32; 4]]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = [math::exp(x), math::sin(x), math::powf(x, 1.5), math::fast::ln(x)];
    }
}

#[gpu_kernel(requires = x.len() == y.len())]
fn functions_of_doubles(t: Thread, x: &[f64], mut y: PerThread<[[f64; 2]]>) {
    if let Some(y) = y.get_mut(t) {
        *y = [math::exp(x[t.index()]), math::cos(x[t.index()])];
    }
}

#[gpu_kernel(requires = x.len() == y.len())]
fn halves(t: Thread, x: &[F16x2], mut y: PerThread<[F16x2]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()].mul_add(x[t.index()], *y);
    }
}

#[gpu_kernel(requires = x.len() == y.len())]
fn bits(t: Thread, x: &[u32], mut y: PerThread<[[u32; 3]]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = [int::byte_permute(x, !x, 0x0527), int::funnel_shift_left(x, !x, 7), int::mul_hi(x, 1 << 30)];
    }
}

#[gpu_kernel]
fn random(t: Thread, seed: u64, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = Philox::new(seed, t.index() as u64).next_u32();
    }
}

#[gpu_kernel(block = 64)]
fn parts_of_warps(g: &Group, x: &[u32], mut of_tiles: PerThread<[u32]>, odd: Atomic<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let sums = g.tiled::<8>().reduce(&mine, |a, b| a + b);
    g.each((&sums, of_tiles.elements_mut()), |_, (sum, of_tile)| {
        if let Some(of_tile) = of_tile {
            *of_tile = *sum;
        }
    });
    g.each_warp(&mine, |w, mine| {
        let odd_ones = w.coalesced(&w.map(mine, |_, x| x % 2 == 1));
        let len = odd_ones.len() as u32;
        odd_ones.invoke_one(|t| odd.fetch_add(t, 0, len));
    });
}

#[gpu_kernel(block = 64)]
fn whole_grid(grid: &Grid, mut x: GridMemory<[u32]>, mut y: PerThread<[u32]>) {
    let last = x.len() - 1;
    grid.each(x.grid_stride_mut(), |_, x| x.for_each(|i, x| *x = 3 * i as u32));
    grid.each((x.shared(), y.elements_mut()), |t, (x, y)| {
        if let Some(y) = y {
            *y = x[last - t.index()];
        }
    });
}

#[gpu_kernel(requires = x.len() == y.len())]
fn vectors(t: Thread, x: &[Vector<f32, 4>], mut y: PerThread<[Vector<f32, 4>]>) {
    if let Some(y) = y.get_mut(t) {
        *y += cache::load(&x[t.index()], cache::Hint::Streaming) * 2.0;
    }
}

#[gpu_kernel(block = 64)]
fn copied_meanwhile(g: &Group, x: &[f32], mut y: PerThread<[f32]>, mut stages: Workgroup<[[f32; 64]; 2]>) {
    let [low, high] = stages.stages();
    let turns = x.len() / 64;
    let mut sum = g.private(0.0_f32);
    g.copies(|copies| {
        let (mut loading, mut free) = (copies.load(low, x, 0), high);
        for turn in 1..turns + 1 {
            let next = copies.load(free, x, 64 * turn);
            let tile = copies.wait(loading);
            g.each((&mut sum, tile.shared()), |t, (sum, tile)| *sum += tile[63 - t.local().x]);
            (loading, free) = (next, tile);
        }
    });
    g.each((&sum, y.elements_mut()), |_, (sum, y)| {
        if let Some(y) = y {
            *y = *sum;
        }
    });
}

#[gpu_kernel]
fn clocks(t: Thread, mut y: PerThread<[[u64; 2]]>) {
    let before = t.nanoseconds();
    t.sleep(1000);
    if let Some(y) = y.get_mut(t) {
        *y = [before, t.nanoseconds()];
    }
}

#[gpu_kernel(block = 64)]
fn product(g: &Group, a: &Matrix<F16>, b: &Matrix<F16>, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
        loop {
            let mut sums = Accumulator::<f32, 16, 16>::filled(0.0);
            let [row, col] = tile.origin();
            let mut k = 0;
            while k < a.cols() {
                let of_a: MatrixA<F16, 16, 16> = w.load_a(a, row, k);
                let of_b: MatrixB<F16, 16, 16> = w.load_b(b, k, col);
                w.multiply_add(&of_a, &of_b, &mut sums);
                k += 16;
            }
            w.store_accumulator(&sums, &mut tile, 0, 0);
            if !tile.advance() {
                break;
            }
        }
    });
}

#[gpu_kernel]
fn sampled(t: Thread, texture: &Texture2d<f32>, mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = texture.sample(t.index() as f32 / 4.0 + 0.5, 0.5);
    }
}

/// The digits of the thread's number and a thousand, as a text.
#[gpu_kernel]
fn digits(t: Thread, mut y: PerThread<[[u8; 4]]>) {
    if let Some(y) = y.get_mut(t) {
        let text: Vec<u8> = format!("{}", 1000 + t.index()).into_bytes();
        y.copy_from_slice(&text);
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::feature::{Result, feature, feature_but_on_amd, numbers};

    const N: usize = 192;
    const CONFIG: LaunchConfig = LaunchConfig::threads(N);

    #[test]
    fn math() -> Result {
        feature("functions of `f32` and `f64`: `math`", |device, stream| {
            let x: Vec<f32> = (1..=N).map(|i| i as f32 / 16.0).collect();
            let mut y = stream.alloc_zeroed::<[f32; 4]>(N)?;
            functions::load(device)?.launch(stream, CONFIG, (&stream.upload(&x)?, &mut y))?;
            for (x, found) in x.iter().map(|&x| f64::from(x)).zip(stream.download(&y)?) {
                for (found, exact) in found.into_iter().zip([x.exp(), x.sin(), x.powf(1.5), x.ln()]) {
                    let off = (f64::from(found) - exact).abs();
                    assert!(off <= 1e-6 * exact.abs().max(1.0), "{x}: {found} instead of {exact}");
                }
            }
            let x: Vec<f64> = (1..=N).map(|i| i as f64 / 16.0).collect();
            let mut y = stream.alloc_zeroed::<[f64; 2]>(N)?;
            functions_of_doubles::load(device)?.launch(stream, CONFIG, (&stream.upload(&x)?, &mut y))?;
            for (x, found) in x.iter().zip(stream.download(&y)?) {
                for (found, exact) in found.into_iter().zip([x.exp(), x.cos()]) {
                    assert!(
                        (found - exact).abs() <= 1e-15 * exact.abs().max(1.0),
                        "{x}: {found} instead of {exact}"
                    );
                }
            }
            Ok(())
        })
    }

    #[test]
    fn half_precision() -> Result {
        feature("half precision: `F16`, `Bf16`, pairs", |device, stream| {
            let x: Vec<F16x2> = (0..N).map(|i| F16x2::from_f32([i as f32 / 8.0, -1.5])).collect();
            let mut y = stream.upload(&vec![F16x2::from_f32([1.0, 0.25]); N])?;
            halves::load(device)?.launch(stream, CONFIG, (&stream.upload(&x)?, &mut y))?;
            for (i, found) in stream.download(&y)?.into_iter().enumerate() {
                let exact = (i as f32 / 8.0).powi(2) + 1.0;
                assert_eq!(found.to_bits(), F16x2::from_f32([exact, 2.5]).to_bits(), "{i}");
            }
            Ok(())
        })
    }

    #[test]
    fn integers() -> Result {
        feature("operations of integers: `int`", |device, stream| {
            let x = numbers(N);
            let mut y = stream.alloc_zeroed::<[u32; 3]>(N)?;
            bits::load(device)?.launch(stream, CONFIG, (&stream.upload(&x)?, &mut y))?;
            for (x, found) in x.into_iter().zip(stream.download(&y)?) {
                let bytes = [x.to_le_bytes(), (!x).to_le_bytes()].concat();
                let permuted = u32::from_le_bytes([7, 2, 5, 0].map(|byte| bytes[byte]));
                assert_eq!(found, [permuted, x << 7 | !x >> 25, x >> 2]);
            }
            Ok(())
        })
    }

    #[test]
    fn random_numbers() -> Result {
        feature("random numbers, the same everywhere: `random`", |device, stream| {
            let mut y = stream.alloc_zeroed(N)?;
            random::load(device)?.launch(stream, CONFIG, (7, &mut y))?;
            let expected: Vec<u32> = (0..N as u64).map(|i| Philox::new(7, i).next_u32()).collect();
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn tiles() -> Result {
        feature("tiles of warps, coalesced groups", |device, stream| {
            let x = numbers(N);
            let (mut of_tiles, mut odd) = (stream.alloc_zeroed(N)?, stream.alloc_zeroed(1)?);
            let arguments = (&stream.upload(&x)?, &mut of_tiles, &mut odd);
            parts_of_warps::load(device)?.launch(stream, CONFIG, arguments)?;
            let expected: Vec<u32> = (0..N).map(|i| x[i / 8 * 8..][..8].iter().sum()).collect();
            assert_eq!(stream.download(&of_tiles)?, expected);
            assert_eq!(stream.download(&odd)?, [x.iter().filter(|&x| x % 2 == 1).count() as u32]);
            Ok(())
        })
    }

    #[test]
    fn grids() -> Result {
        let lacking = "the emulator runs groups one after another";
        feature_but_on_amd("kernels of the whole grid: `Grid`", lacking, |device, stream| {
            let (mut x, mut y) = (stream.alloc_zeroed(N)?, stream.alloc_zeroed(N)?);
            whole_grid::load(device)?.launch(stream, LaunchConfig::grid(3, 64), (&mut x, &mut y))?;
            let expected: Vec<u32> = (0..N as u32).rev().map(|i| 3 * i).collect();
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn wide_accesses() -> Result {
        feature("vectors of 16 bytes, cache hints", |device, stream| {
            let x: Vec<f32> = (0..4 * N).map(|i| i as f32).collect();
            let (on_device, mut y) = (stream.upload(&x)?, stream.upload(&x)?);
            vectors::load(device)?.launch(stream, CONFIG, (on_device.vectors()?, y.vectors_mut()?))?;
            assert!(stream.download(&y)?.iter().zip(&x).all(|(y, x)| *y == 3.0 * x));
            Ok(())
        })
    }

    #[test]
    fn copies() -> Result {
        feature("copies to workgroup memory that run meanwhile", |device, stream| {
            let x: Vec<f32> = (0..N).map(|i| i as f32).collect();
            let mut y = stream.alloc_zeroed(64)?;
            let config = LaunchConfig::grid(1, 64);
            copied_meanwhile::load(device)?.launch(stream, config, (&stream.upload(&x)?, &mut y))?;
            let expected: Vec<f32> = (0..64).rev().map(|i| (3 * i + 3 * 64) as f32).collect();
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn time() -> Result {
        let lacking = "the emulator has no instructions that read clocks";
        feature_but_on_amd("clocks, sleep", lacking, |device, stream| {
            let mut y = stream.alloc_zeroed::<[u64; 2]>(N)?;
            clocks::load(device)?.launch(stream, CONFIG, (&mut y,))?;
            assert!(stream.download(&y)?.into_iter().all(|[before, after]| before <= after));
            Ok(())
        })
    }

    #[test]
    fn matrix_units() -> Result {
        feature("matrix units", |device, stream| {
            const K: usize = 40;
            let element = |i: usize| F16::from_f32((i * 7 % 9) as f32 - 4.0);
            let a: Vec<F16> = (0..33 * K).map(element).collect();
            let b: Vec<F16> = (0..K * 20).map(element).collect();
            let (on_a, on_b) = (stream.upload_matrix(33, K, &a)?, stream.upload_matrix(K, 20, &b)?);
            let mut c = stream.alloc_matrix_zeroed(33, 20)?;
            product::load(device)?.launch(
                stream,
                LaunchConfig::for_matrix(33, 20),
                (&on_a, &on_b, &mut c),
            )?;
            for (i, found) in stream.download(&c)?.into_iter().enumerate() {
                let (row, col) = (i / 20, i % 20);
                // Whole numbers: exact.
                let exact: f32 = (0..K).map(|k| a[row * K + k].to_f32() * b[k * 20 + col].to_f32()).sum();
                assert_eq!(found, exact, "({row}, {col})");
            }
            Ok(())
        })
    }

    #[test]
    fn textures() -> Result {
        feature("textures", |device, stream| {
            let ramp: Vec<f32> = (0..N / 4 + 1).map(|i| i as f32).collect();
            let texture = stream.texture(1, ramp.len(), &ramp, Sampling::linear())?;
            let mut y = stream.alloc_zeroed(N)?;
            sampled::load(device)?.launch(stream, CONFIG, (&texture, &mut y))?;
            let expected: Vec<f32> = (0..N).map(|i| i as f32 / 4.0).collect();
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn allocation() -> Result {
        let lacking = "the emulator takes every `flat` address for one of global memory";
        feature_but_on_amd("allocation in kernels: `Vec`, `format!`", lacking, |device, stream| {
            let mut y = stream.alloc_zeroed::<[u8; 4]>(N)?;
            digits::load(device)?.launch(stream, CONFIG, (&mut y,))?;
            let expected: Vec<[u8; 4]> = (1000..1000 + N)
                .map(|i| [i / 1000, i / 100 % 10, i / 10 % 10, i % 10].map(|d| b'0' + d as u8))
                .collect();
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }
}
