use gridwright::prelude::*;

#[gpu_kernel(requires = tile.len() == 16)]
fn kernel(g: &Group, mut tile: Workgroup<[f32; 16]>) {}

fn main() {}
