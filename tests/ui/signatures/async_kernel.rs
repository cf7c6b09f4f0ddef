use gridwright::prelude::*;

#[gpu_kernel]
async fn kernel(t: Thread, mut y: PerThread<[f32]>) {}

fn main() {}
