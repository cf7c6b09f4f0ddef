use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut marks: Workgroup<[bool]>, mut tile: Workgroup<[[bool; 16]; 16]>) {}

fn main() {}
