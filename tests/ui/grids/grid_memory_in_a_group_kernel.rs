use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _x: GridMemory<[f32]>) {}

fn main() {}
