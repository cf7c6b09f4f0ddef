use gridwright::__private::{Signature, load};
use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use crate::matrix_mul::{matrix_mul, matrix_mul_load_tile};

type Parameters = (&'static Matrix<f32>, &'static Matrix<f32>, PerThread<'static, Matrix<f32>>);

fn compare<K: Signature<Params = Parameters, Sizes = ()>>() {
    let Some(mut emulator) = Emulator::<K>::start() else { return };
    // Less than a tile, a whole one, several of which those at the edges are parts.
    for (rows, inner, cols) in [(1, 1, 1), (16, 16, 16), (17, 20, 5)] {
        let a: Vec<f32> = (0..rows * inner).map(|i| i as f32 * 0.37 - 11.0).collect();
        let b: Vec<f32> = (0..inner * cols).map(|i| (i * 7919 % 1000) as f32 / 3.0).collect();
        let c = vec![-1.0_f32; rows * cols];
        let config = LaunchConfig::for_matrix(rows, cols);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (a, b) = (stream.upload_matrix(rows, inner, &a)?, stream.upload_matrix(inner, cols, &b)?);
            let mut c = stream.upload_matrix(rows, cols, &c)?;
            load::<K>(&device)?.launch(&stream, config, (&a, &b, &mut c))?;
            Ok([stream.download(&c)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let c = memory.matrix(rows, cols, &c);
            ((memory.matrix(rows, inner, &a), memory.matrix(inner, cols, &b), c), [c.pointer])
        });
    }
}

#[test]
fn matrix_mul_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul>();
}

#[test]
fn matrix_mul_load_tile_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul_load_tile>();
}
