use gridwright::prelude::*;

#[gpu_kernel]
const fn kernel(t: Thread, mut y: PerThread<[f32]>) {}

fn main() {}
