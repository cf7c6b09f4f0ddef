use gridwright::prelude::*;

#[gpu_kernel]
extern "C" fn kernel(t: Thread, x: &[f32]) {}

fn main() {}
