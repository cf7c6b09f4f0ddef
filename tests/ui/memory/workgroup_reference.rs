use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, scratch: &mut Workgroup<[f32]>, out: &PerThread<[f32]>) {}

fn main() {}
