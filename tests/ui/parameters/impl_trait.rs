use gridwright::prelude::*;

#[gpu_kernel]
fn scale(t: Thread, by: impl Into<f32>) {}

fn main() {}
