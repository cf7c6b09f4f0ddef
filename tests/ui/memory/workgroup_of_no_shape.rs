use gridwright::prelude::*;

type Tile = [[f32; 16]; 16];

#[gpu_kernel]
fn kernel(g: &Group, mut value: Workgroup<f32>, mut tile: Workgroup<Tile>) {}

fn main() {}
