//! Matrix units against sums by the book, made in `f64`, on every device.

use gridwright::matrix::{Accumulator, MatrixA, MatrixB, Tf32};
use gridwright::memory::Vector;
use gridwright::numbers::{Bf16, F16};
use gridwright::prelude::*;

/// Kernels that multiply matrices of global memory of any sizes, a tile of 16 by 16 a warp at a time.
macro_rules! products {
    ($($name:ident: $factor:ty, $memory:ty, $k:literal => $sum:ty, $zero:expr;)*) => {$(
        #[gpu_kernel(block = 64, requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
        fn $name(
            g: &Group,
            a: &Matrix<$memory>,
            b: &Matrix<$memory>,
            mut c: PerGroup<Matrix<$sum>, Tiles<32, 16>>,
        ) {
            g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
                loop {
                    let [row, col] = tile.origin();
                    let mut sums = Accumulator::<$sum, 16, 16>::filled($zero);
                    let mut k = 0;
                    while k < a.cols() {
                        let left: MatrixA<$factor, 16, $k> = w.load_a(a, row, k);
                        let right: MatrixB<$factor, $k, 16> = w.load_b(b, k, col);
                        w.multiply_add(&left, &right, &mut sums);
                        k += $k;
                    }
                    w.store_accumulator(&sums, &mut tile, 0, 0);
                    if !tile.advance() {
                        break;
                    }
                }
            });
        }
    )*};
}

products! {
    f16_to_f32: F16, F16, 16 => f32, 0.0;
    f16_to_f16: F16, F16, 16 => F16, F16::from_bits(0);
    bf16_to_f32: Bf16, Bf16, 16 => f32, 0.0;
    tf32_to_f32: Tf32, f32, 8 => f32, 0.0;
    i8_to_i32: i8, i8, 32 => i32, 0;
    u8_to_i32: u8, u8, 32 => i32, 0;
    f64_to_f64: f64, f64, 4 => f64, 0.0;
}

/// Columns of a tile in workgroup memory: more than are used.
const PITCH: usize = 40;

/// All ways from workgroup memory: `c` gets four products of the 32 rows and columns of `a` and `b`, side by side, which are
/// the same if A and B are symmetric. They begin at column `shift` of both.
#[gpu_kernel(block = 64)]
fn by_workgroup_memory(
    g: &Group,
    a: &Matrix<F16>,
    b: &Matrix<F16>,
    shift: u32,
    mut c: PerGroup<Matrix<f32>, Tiles<16, 64>>,
    mut ta: Workgroup<[[F16; PITCH]; 32]>,
    mut tb: Workgroup<[[F16; PITCH]; 32]>,
) {
    let (shift, warps) = (shift as usize, g.warps());
    g.load_tile(&mut ta, a, 0, 0);
    g.load_tile(&mut tb, b, 0, 0);
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
        let mut way = w.index();
        loop {
            let mut sums = Accumulator::<f32, 16, 16>::filled(0.0);
            for k in [0, 16] {
                let (left, right): (MatrixA<F16, 16, 16>, MatrixB<F16, 16, 16>) = match way {
                    0 => (w.load_a(&ta, 0, shift + k), w.load_b(&tb, k, shift)),
                    1 => (w.load_a_transposed(&ta, k, shift), w.load_b(&tb, k, shift)),
                    2 => (w.load_a(&ta, 0, shift + k), w.load_b_transposed(&tb, 0, shift + k)),
                    _ => (w.load_a_transposed(&ta, k, shift), w.load_b_transposed(&tb, 0, shift + k)),
                };
                w.multiply_add(&left, &right, &mut sums);
            }
            w.store_accumulator(&sums, &mut tile, 0, 0);
            if !tile.advance() {
                break;
            }
            way += warps;
        }
    });
}

/// Through the warp's own workgroup memory, as the first product of two in a row needs: D = (A·B)·B + bias, with A·B
/// rounded to `f16`. Elements of eight bytes hold four of the fragments'.
#[gpu_kernel(block = 64)]
fn twice(
    g: &Group,
    a: &Matrix<F16>,
    b: &Matrix<F16>,
    bias: &[f32],
    mut d: PerGroup<Matrix<f32>, Tiles<32, 16>>,
    mut between: Workgroup<[Vector<F16, 4>; 2 * 16 * 5]>,
) {
    g.each_warp((between.warp_chunks_mut(16 * 5), d.warp_tiles_mut::<16, 16>()), |w, (between, mut tile)| {
        let mut between = between.chunks::<5>();
        loop {
            let [row, col] = tile.origin();
            let left: MatrixA<F16, 16, 16> = w.load_a(a, row, 0);
            let right: MatrixB<F16, 16, 16> = w.load_b(b, 0, col);
            let mut halves = Accumulator::<F16, 16, 16>::filled(F16::from_bits(0));
            w.multiply_add(&left, &right, &mut halves);
            w.store_accumulator(&halves, &mut between, 0, 4);
            let left: MatrixA<F16, 16, 16> = w.load_a(&between, 0, 4);
            let mut sums = Accumulator::<f32, 16, 16>::filled(0.0);
            w.multiply_add(&left, &right, &mut sums);
            let again: Accumulator<F16, 16, 16> = w.load_accumulator(&between, 0, 4);
            let sums = w.map_accumulator(&sums.map(|sum| 2.0 * sum), |_, col, sum| sum + bias[col]);
            w.store_accumulator(&again, &mut between, 0, 4);
            w.store_accumulator(&sums, &mut tile, 0, 0);
            if !tile.advance() {
                break;
            }
        }
    });
}

/// A warp that isn't full can't load a fragment.
#[gpu_kernel(block = 48)]
fn half_a_warp(g: &Group, a: &Matrix<F16>, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
        let left: MatrixA<F16, 16, 16> = w.load_a(a, 0, 0);
        let right: MatrixB<F16, 16, 16> = w.load_b(a, 0, 0);
        let mut sums = Accumulator::<f32, 16, 16>::filled(0.0);
        w.multiply_add(&left, &right, &mut sums);
        w.store_accumulator(&sums, &mut tile, 0, 0);
    });
}

/// A fragment that is not in workgroup memory.
#[gpu_kernel(block = 64)]
fn beyond_the_tile(
    g: &Group,
    row: u32,
    mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>,
    mut t: Workgroup<[[f32; 16]; 16]>,
) {
    g.fill(&mut t, 1.0);
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
        let sums: Accumulator<f32, 16, 16> = w.load_accumulator(&t, row as usize, 0);
        w.store_accumulator(&sums, &mut tile, 0, 0);
    });
}

/// Fewer tiles than warps.
#[gpu_kernel(block = 128)]
fn too_few_tiles(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<16, 16>>) {
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
        w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(0.0), &mut tile, 0, 0);
    });
}

#[host_only]
mod host {
    use gridwright::Error;

    use super::*;
    use crate::device;

    /// Says that a test isn't run: the emulator of AMD's GPUs, which isn't ours, has the instruction wrong. Images that were built
    /// with `GRIDWRIGHT_NO_MATRIX_UNITS` have none.
    fn emulator_lacks(what: &str, architecture: &str) -> Result<bool, Error> {
        let is_lacking = option_env!("GRIDWRIGHT_NO_MATRIX_UNITS").is_none()
            && device()?.name().contains(&format!("Emulated GPU {architecture}"));
        if is_lacking {
            println!("SKIPPED: {what} on the emulator of {architecture}");
        }
        Ok(is_lacking)
    }

    /// Numbers without a pattern, from -1 to 1.
    fn numbers(count: usize, seed: u64) -> Vec<f64> {
        let mut state = seed | 1;
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    /// Rows of A, its columns, and columns of B: inside of tiles, at their edges, and beyond them.
    const SIZES: [[usize; 3]; 5] = [[32, 32, 16], [64, 64, 48], [33, 17, 31], [1, 5, 1], [70, 100, 90]];

    /// Checks products of random matrices, each element to `2·k·epsilon` of the sum of the products' magnitudes, and of what
    /// rounding the sum itself to `epsilon` may lose.
    macro_rules! check {
        ($kernel:ident, $memory:ty, $sum:ty, $scale:expr, $epsilon:expr, |$x:ident| $store:expr, |$y:ident| $load:expr, |$z:ident| $value:expr) => {{
            let device = device()?;
            let stream = device.stream()?;
            let kernel = super::$kernel::load(&device)?;
            for [rows, inner, cols] in SIZES {
                let a: Vec<$memory> =
                    numbers(rows * inner, 7).into_iter().map(|x| { let $x = x * $scale; $store }).collect();
                let b: Vec<$memory> =
                    numbers(inner * cols, 99).into_iter().map(|x| { let $x = x * $scale; $store }).collect();
                let (da, db) = (stream.upload_matrix(rows, inner, &a)?, stream.upload_matrix(inner, cols, &b)?);
                let mut dc = stream.alloc_matrix_zeroed::<$sum>(rows, cols)?;
                kernel.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&da, &db, &mut dc))?;
                let c = stream.download(&dc)?;
                let value = |$y: $memory| -> f64 { $load };
                for row in 0..rows {
                    for col in 0..cols {
                        let products = (0..inner).map(|k| value(a[row * inner + k]) * value(b[k * cols + col]));
                        let (sum, magnitude) =
                            products.fold((0.0, 0.0), |(sum, all), p| (sum + p, all + f64::abs(p)));
                        let $z = c[row * cols + col];
                        let found: f64 = $value;
                        let bound = 2.0 * inner as f64 * $epsilon * magnitude;
                        assert!(
                            (found - sum).abs() <= bound,
                            "{}: {rows} by {inner} by {cols}, row {row}, column {col}: {found} for {sum}, bound {bound:e}",
                            stringify!($kernel)
                        );
                    }
                }
            }
            Ok(())
        }};
    }

    const F32: f64 = f32::EPSILON as f64;
    /// 2⁻¹⁰: of 11 bits.
    const HALF: f64 = 1.0 / 1024.0;

    #[test]
    fn f16_is_added_up_in_f32() -> Result<(), Error> {
        check!(f16_to_f32, F16, f32, 1.0, F32, |x| F16::from_f32(x as f32), |y| y.to_f32().into(), |z| z
            .into())
    }

    #[test]
    fn f16_is_added_up_in_f16() -> Result<(), Error> {
        check!(f16_to_f16, F16, F16, 1.0, HALF, |x| F16::from_f32(x as f32), |y| y.to_f32().into(), |z| z
            .to_f32()
            .into())
    }

    #[test]
    fn bf16_is_added_up_in_f32() -> Result<(), Error> {
        check!(bf16_to_f32, Bf16, f32, 1.0, F32, |x| Bf16::from_f32(x as f32), |y| y.to_f32().into(), |z| z
            .into())
    }

    /// Rounded by the definition: to 10 bits behind the first, halves away from zero.
    fn tf32(x: f32) -> f64 {
        let unit = 2_f64.powi(f64::from(x).abs().log2().floor() as i32 - 10);
        (f64::from(x) / unit).round() * unit
    }

    #[test]
    fn tf32_is_rounded_and_added_up_in_f32() -> Result<(), Error> {
        if emulator_lacks("v_mfma_f32_16x16x8_xf32", "gfx942")? {
            return Ok(());
        }
        check!(tf32_to_f32, f32, f32, 1.0, F32, |x| x as f32, |y| tf32(y), |z| z.into())
    }

    #[test]
    fn bytes_are_added_up_exactly() -> Result<(), Error> {
        if emulator_lacks("v_mfma_i32_16x16x32_i8", "gfx942")? {
            return Ok(());
        }
        check!(i8_to_i32, i8, i32, 128.0, 0.0, |x| x as i8, |y| y.into(), |z| z.into())
    }

    #[test]
    fn bytes_without_sign_are_added_up_exactly() -> Result<(), Error> {
        if emulator_lacks("v_mfma_i32_16x16x32_i8", "gfx942")?
            || emulator_lacks("v_wmma_i32_16x16x16_iu8 of bytes without sign", "gfx1100")?
        {
            return Ok(());
        }
        check!(u8_to_i32, u8, i32, 255.0, 0.0, |x| x.abs() as u8, |y| y.into(), |z| z.into())
    }

    #[test]
    fn f64_is_added_up_in_f64() -> Result<(), Error> {
        if emulator_lacks("v_mfma_f64_16x16x4_f64", "gfx942")? {
            return Ok(());
        }
        check!(f64_to_f64, f64, f64, 1.0, f64::EPSILON, |x| x, |y| y, |z| z)
    }

    /// Special values go through as sums by the book have them.
    #[test]
    fn infinities_and_nan_stay_in_their_rows() -> Result<(), Error> {
        if emulator_lacks("v_mfma_f32_16x16x16_f16 of infinities, NaN and subnormal numbers", "gfx942")? {
            return Ok(());
        }
        let device = device()?;
        let stream = device.stream()?;
        let mut a = vec![F16::from_f32(1.0); 32 * 16];
        a[16 + 3] = F16::from_f32(f32::INFINITY);
        a[2 * 16 + 5] = F16::from_f32(f32::NAN);
        a[3 * 16 + 7] = F16::from_f32(-0.0);
        // Subnormal.
        a[4 * 16..5 * 16].fill(F16::from_bits(1));
        let (da, db) =
            (stream.upload_matrix(32, 16, &a)?, stream.upload_matrix(16, 16, &[F16::from_f32(1.0); 256])?);
        let mut dc = stream.alloc_matrix_zeroed::<f32>(32, 16)?;
        f16_to_f32::load(&device)?.launch(&stream, LaunchConfig::for_matrix(32, 16), (&da, &db, &mut dc))?;
        let c = stream.download(&dc)?;
        for col in 0..16 {
            let of_row = |row: usize| c[row * 16 + col];
            assert_eq!([of_row(0), of_row(1), of_row(3)], [16.0, f32::INFINITY, 15.0]);
            assert!(of_row(2).is_nan());
            assert_eq!(of_row(4), 16.0 / f32::powi(2.0, 24));
        }
        Ok(())
    }

    /// A symmetric matrix of 32 by 32 small whole numbers: all products of two are exact.
    fn symmetric(factor: usize) -> Vec<F16> {
        let number = |i: usize| ((i / 32 + i % 32) * factor + (i / 32) * (i % 32)) % 7;
        (0..32 * 32).map(|i| F16::from_f32(number(i) as f32)).collect()
    }

    #[test]
    fn each_way_from_workgroup_memory_is_the_same() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let (a, b) = (symmetric(3), symmetric(5));
        let product = |row: usize, col: usize| -> f32 {
            (0..32).map(|k| a[row * 32 + k].to_f32() * b[k * 32 + col].to_f32()).sum()
        };
        let kernel = by_workgroup_memory::load(&device)?;
        // At the beginning of a row, at 16 bytes further on, and where no matrix instruction can load from.
        for shift in [0, 8, 3] {
            let shifted = |x: &[F16]| {
                let mut all = vec![F16::from_f32(f32::NAN); 32 * PITCH];
                for (row, from) in all.chunks_mut(PITCH).zip(x.chunks(32)) {
                    row[shift as usize..][..32].copy_from_slice(from);
                }
                stream.upload_matrix(32, PITCH, &all)
            };
            let (da, db) = (shifted(&a)?, shifted(&b)?);
            let mut c = stream.alloc_matrix_zeroed::<f32>(16, 64)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(16, 64), (&da, &db, shift, &mut c))?;
            let c = stream.download(&c)?;
            for (i, &found) in c.iter().enumerate() {
                let (row, col) = (i / 64, i % 64);
                assert_eq!(found, product(row, col % 16), "way {}, shifted by {shift}, row {row}", col / 16);
            }
        }
        Ok(())
    }

    #[test]
    fn sums_go_through_a_warps_memory_into_a_factor() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let number = |i: usize| (i % 3) as f32;
        let a: Vec<F16> = (0..32 * 16).map(|i| F16::from_f32(number(i * 7 / 4))).collect();
        let b: Vec<F16> = (0..16 * 16).map(|i| F16::from_f32(number(i * 5 / 3))).collect();
        let bias: Vec<f32> = (0..16).map(|i| 0.5 * i as f32).collect();
        let (da, db) = (stream.upload_matrix(32, 16, &a)?, stream.upload_matrix(16, 16, &b)?);
        let (dbias, mut dd) = (stream.upload(&bias)?, stream.alloc_matrix_zeroed::<f32>(32, 16)?);
        twice::load(&device)?.launch(
            &stream,
            LaunchConfig::for_matrix(32, 16),
            (&da, &db, &dbias, &mut dd),
        )?;
        let d = stream.download(&dd)?;
        let multiply = |left: &[f32]| -> Vec<f32> {
            let element =
                |i: usize| (0..16).map(|k| left[i / 16 * 16 + k] * b[k * 16 + i % 16].to_f32()).sum();
            (0..32 * 16).map(element).collect()
        };
        // Whole numbers below 2048: all of them are exact.
        let first = multiply(&a.iter().map(|a| a.to_f32()).collect::<Vec<_>>());
        let expected: Vec<f32> =
            multiply(&first).iter().enumerate().map(|(i, sum)| 2.0 * sum + bias[i % 16]).collect();
        assert_eq!(d, expected);
        Ok(())
    }

    fn panic_of(result: Result<(), Error>) -> String {
        match result {
            Err(error @ Error::KernelPanic { .. }) => error.to_string(),
            other => panic!("no panic: {other:?}"),
        }
    }

    #[test]
    fn a_warp_that_is_not_full_has_no_fragments() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let a = stream.upload_matrix(16, 16, &[F16::from_f32(1.0); 256])?;
        let mut c = stream.alloc_matrix_zeroed::<f32>(32, 16)?;
        half_a_warp::load(&device)?.launch(&stream, LaunchConfig::for_matrix(32, 16), (&a, &mut c))?;
        let message = panic_of(stream.synchronize());
        assert!(message.contains("matrix units work for full warps"), "{message}");
        Ok(())
    }

    #[test]
    fn a_fragment_that_is_not_in_the_tile_is_told() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = beyond_the_tile::load(&device)?;
        for row in [1, u32::MAX] {
            let mut c = stream.alloc_matrix_zeroed::<f32>(32, 16)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(32, 16), (row, &mut c))?;
            let message = panic_of(stream.synchronize());
            // A GPU leaves the numbers out.
            assert!(message.contains("of workgroup memory of"), "{message}");
        }
        Ok(())
    }

    #[test]
    fn more_warps_than_tiles_are_told() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let mut c = stream.alloc_matrix_zeroed::<f32>(16, 16)?;
        too_few_tiles::load(&device)?.launch(&stream, LaunchConfig::for_matrix(16, 16), (&mut c,))?;
        let message = panic_of(stream.synchronize());
        assert!(message.contains("columns was handed to"), "{message}");
        Ok(())
    }
}
