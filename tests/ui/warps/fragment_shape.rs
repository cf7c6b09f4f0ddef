use gridwright::prelude::*;
use gridwright::{matrix::{Accumulator, MatrixA}, numbers::F16};

#[gpu_kernel(block = 32)]
fn kernel(g: &Group, a: &Matrix<F16>) {
    g.each_warp((), |w, ()| {
        let a: MatrixA<F16, 16, 8> = w.load_a(a, 0, 0);
        let sums = Accumulator::<f32, 32, 8>::filled(0.0);
    });
}

fn main() {}
