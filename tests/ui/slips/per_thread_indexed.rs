use gridwright::prelude::*;

#[gpu_kernel]
fn double(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    y[t.index()] = 2.0 * x[t.index()];
}

#[gpu_kernel]
fn flip(t: Thread, mut m: PerThread<Matrix<f32>>) {
    m[(t.row(), t.col())] = 1.0;
}

fn main() {}
