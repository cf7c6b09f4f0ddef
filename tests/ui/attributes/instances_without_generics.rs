use gridwright::prelude::*;

#[gpu_kernel(instances(f32))]
fn fill(t: Thread, value: f32, mut y: PerThread<[f32]>) {}

fn main() {}
