use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[f32], u: Thread) {}

fn main() {}
