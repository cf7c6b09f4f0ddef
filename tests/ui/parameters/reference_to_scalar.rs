use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, a: &f32, mut b: &mut u32, weights: &[f32; 9]) {}

fn main() {}
