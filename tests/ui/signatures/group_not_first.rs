use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(x: &[f32], g: &Group) {}

fn main() {}
