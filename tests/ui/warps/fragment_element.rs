use gridwright::prelude::*;
use gridwright::matrix::MatrixB;

#[gpu_kernel(block = 32)]
fn kernel(g: &Group, b: &Matrix<f32>) {
    g.each_warp((), |w, ()| {
        let b: MatrixB<f32, 8, 16> = w.load_b(b, 0, 0);
    });
}

fn main() {}
