use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _a: PerGroup<Matrix<u32>, Tiles<16, 16>>, _b: PerGroup<Matrix<u32>, Tiles<16, 32>>) {}

fn main() {}
