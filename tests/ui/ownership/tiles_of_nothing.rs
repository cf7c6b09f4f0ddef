use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _m: PerGroup<Matrix<u32>, Tiles<0, 16>>) {}

fn main() {}
