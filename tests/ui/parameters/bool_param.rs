use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, negate: bool, mut y: PerThread<[f32]>) {}

fn main() {}
