use gridwright::__private::{Param, Signature, load};
use gridwright::launch::Pass;
use gridwright::prelude::*;
use gridwright_core::RawMatrix;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::matrix_mul::{
    matrix_mul, matrix_mul_load_tile, matrix_mul_naive, matrix_mul_patches,
};

type Parameters<C> = (&'static Matrix<f32>, &'static Matrix<f32>, C);
type OfThreads = PerThread<'static, Matrix<f32>>;
type OfGroups = PerGroup<'static, Matrix<f32>, Tiles<64, 64>>;

fn compare<K, C>(sizes: [(usize, usize, usize); 3])
where
    K: Signature<Params = Parameters<C>, Sizes = ()>,
    C: Param<Raw = RawMatrix<f32>>,
    for<'b> &'b mut MatrixBuffer<f32>: Pass<C>,
{
    let Some(mut emulator) = Emulator::<K>::start() else { return };
    for (rows, inner, cols) in sizes {
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

/// Less than a tile, a whole one, several of which those at the edges are parts.
const OF_16: [(usize, usize, usize); 3] = [(1, 1, 1), (16, 16, 16), (17, 20, 5)];

#[test]
fn matrix_mul_naive_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul_naive, OfThreads>([(1, 1, 1), (16, 16, 64), (9, 21, 70)]);
}

#[test]
fn matrix_mul_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul, OfThreads>(OF_16);
}

#[test]
fn matrix_mul_load_tile_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul_load_tile, OfThreads>(OF_16);
}

#[test]
fn matrix_mul_patches_gives_the_bits_that_it_gives_on_the_cpu() {
    compare::<matrix_mul_patches, OfGroups>([(1, 1, 1), (64, 16, 64), (67, 20, 70)]);
}
