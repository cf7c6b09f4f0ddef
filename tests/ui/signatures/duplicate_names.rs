use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[f32]) {}

#[gpu_kernel]
fn kernel(t: Thread, y: &[f32]) {}

fn main() {}
