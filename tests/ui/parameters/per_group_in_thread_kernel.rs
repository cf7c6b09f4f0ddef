use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[f32], mut sums: PerGroup<[f32]>) {}

fn main() {}
