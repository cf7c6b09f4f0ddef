use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _w: Workgroup<[&f32]>, _tile: Workgroup<[[&f32; 4]; 4]>) {}

fn main() {}
