use gridwright::prelude::*;

struct Everywhere;

impl gridwright::ownership::GroupMap<Matrix<u32>> for Everywhere {}

#[gpu_kernel]
fn kernel(_g: &Group, _m: PerGroup<Matrix<u32>, Everywhere>) {}

fn main() {}
