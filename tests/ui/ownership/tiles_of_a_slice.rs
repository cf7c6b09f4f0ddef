use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _x: PerGroup<[u32], Tiles<1, 16>>) {}

fn main() {}
