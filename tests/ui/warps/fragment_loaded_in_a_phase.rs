use gridwright::prelude::*;
use gridwright::{matrix::MatrixA, numbers::F16};

#[gpu_kernel(block = 32)]
fn kernel(g: &Group, a: &Matrix<F16>) {
    g.each_warp((), |w, ()| {
        w.each((), |t, ()| {
            if t.lane() == 0 {
                let a: MatrixA<F16, 16, 16> = w.load_a(a, 0, 0);
            }
        });
    });
}

fn main() {}
