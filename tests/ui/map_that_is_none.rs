use gridwright::prelude::*;

struct ToTheFirst;

#[gpu_kernel]
fn slice(_t: Thread, _y: PerThread<[f32], ToTheFirst>) {}

#[gpu_kernel]
fn wrong_shape(_t: Thread, _y: PerThread<Matrix<f32>, Reversed>) {}

fn main() {}
