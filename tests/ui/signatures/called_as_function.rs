use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[f32]) {}

#[gpu_kernel]
fn caller(t: Thread, x: &[f32]) {
    kernel(t, x);
}

fn main() {}
