use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, size: (u32, u32), points: &[(f32, f32)]) {}

fn main() {}
