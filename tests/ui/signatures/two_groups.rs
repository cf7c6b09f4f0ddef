use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, x: &[f32], h: &Group) {}

fn main() {}
