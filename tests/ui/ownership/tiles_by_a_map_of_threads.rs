use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _m: PerGroup<Matrix<u32>, Transposed>) {}

fn main() {}
