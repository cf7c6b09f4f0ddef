//! What a kernel computes from numbers that are always the same, as bytes on the standard output.
//!
//! `cargo xtask test --step neon` compares them: they are the same on each machine.

use std::io::{self, Write};

use clap::{Parser, ValueEnum};
use gridwright::prelude::*;
use gridwright::random::{Philox, unit_f32};
use gridwright_examples::elementary;
use gridwright_examples::samples::black_scholes::{black_scholes, options};
use gridwright_examples::samples::matrix_mul::matrix_mul_patches;
use gridwright_examples::samples::{nbody, sobel};

/// Writes what a kernel computes to the standard output, as bytes.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The kernel.
    kernel: Kernel,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Kernel {
    Saxpy,
    Sobel,
    Nbody,
    BlackScholes,
    MatrixMulPatches,
}

/// Sizes that no number of lanes divides.
const LEN: usize = 10_007;
const BODIES: usize = 301;
const ROWS: usize = 131;
const INNER: usize = 77;
const COLS: usize = 93;

fn main() -> anyhow::Result<()> {
    let Options { kernel } = Options::parse();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let bytes = match kernel {
        Kernel::Saxpy => {
            let (x, mut y) = (stream.upload(&numbers(LEN, 1))?, stream.upload(&numbers(LEN, 2))?);
            let config = LaunchConfig::threads(LEN);
            elementary::saxpy::load(&device)?.launch(&stream, config, (0.3, &x, &mut y))?;
            bytes(&stream.download(&y)?)
        }
        Kernel::Sobel => {
            let pixels: Vec<u8> =
                numbers(ROWS * COLS, 3).iter().map(|number| (number * 256.0) as u8).collect();
            let image = stream.upload_matrix(ROWS, COLS, &pixels)?;
            let mut edges = stream.alloc_matrix_zeroed(ROWS, COLS)?;
            let config = LaunchConfig::for_matrix(ROWS, COLS);
            sobel::sobel::load(&device)?.launch(&stream, config, (&image, &mut edges))?;
            stream.download(&edges)?
        }
        Kernel::Nbody => {
            let bodies: Vec<[f32; 4]> = numbers(4 * BODIES, 4).as_chunks().0.to_vec();
            let old = stream.upload(&bodies)?;
            let mut new = stream.alloc_zeroed(BODIES)?;
            let mut velocities = stream.alloc_zeroed::<[f32; 3]>(BODIES)?;
            let config = LaunchConfig::threads(BODIES);
            nbody::step::load(&device)?.launch(&stream, config, (0.01, &old, &mut new, &mut velocities))?;
            bytes(stream.download(&new)?.as_flattened())
        }
        Kernel::BlackScholes => {
            let [price, strike, years] = options(LEN, 5);
            let [price, strike, years] =
                [stream.upload(&price)?, stream.upload(&strike)?, stream.upload(&years)?];
            let (mut call, mut put) = (stream.alloc_zeroed(LEN)?, stream.alloc_zeroed(LEN)?);
            let arguments = (&price, &strike, &years, 0.02, 0.3, &mut call, &mut put);
            black_scholes::load(&device)?.launch(&stream, LaunchConfig::threads(LEN), arguments)?;
            bytes(&[stream.download(&call)?, stream.download(&put)?].concat())
        }
        Kernel::MatrixMulPatches => {
            let a = stream.upload_matrix(ROWS, INNER, &numbers(ROWS * INNER, 6))?;
            let b = stream.upload_matrix(INNER, COLS, &numbers(INNER * COLS, 7))?;
            let mut c = stream.alloc_matrix_zeroed(ROWS, COLS)?;
            let config = LaunchConfig::for_matrix(ROWS, COLS);
            matrix_mul_patches::load(&device)?.launch(&stream, config, (&a, &b, &mut c))?;
            bytes(&stream.download(&c)?)
        }
    };
    Ok(io::stdout().write_all(&bytes)?)
}

/// Numbers from 0 to 1. Not by a function of the standard library's that differs from one machine to another, as the sine does.
fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let random = Philox::new(seed, 0);
    (0..len as u64).map(|i| unit_f32(random.at(i)[0])).collect()
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
