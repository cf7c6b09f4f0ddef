use gridwright::prelude::*;
use gridwright::{matrix::{Accumulator, MatrixA, MatrixB}, numbers::F16};

#[gpu_kernel(block = 32)]
fn kernel(g: &Group, a: &Matrix<F16>) {
    g.each_warp((), |w, ()| {
        let left: MatrixA<F16, 16, 16> = w.load_a(a, 0, 0);
        let right: MatrixB<F16, 16, 16> = w.load_b(a, 0, 0);
        let mut sums = Accumulator::<i32, 16, 16>::filled(0);
        w.multiply_add(&left, &right, &mut sums);
    });
}

fn main() {}
