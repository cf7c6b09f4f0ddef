use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, mut scratch: Workgroup<[f32]>, mut tile: Workgroup<[[f32; 16]; 16]>) {}

fn main() {}
