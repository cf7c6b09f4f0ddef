use gridwright::prelude::*;

#[gpu_kernel]
unsafe fn kernel(t: Thread, mut y: PerThread<[f32]>) {}

fn main() {}
