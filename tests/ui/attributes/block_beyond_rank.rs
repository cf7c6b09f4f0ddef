use gridwright::prelude::*;

#[gpu_kernel(block = (16, 16))]
fn kernel(_g: &Group, mut _out: PerThread<[f32]>) {}

fn main() {}
