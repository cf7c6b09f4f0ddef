use gridwright::prelude::*;

#[gpu_kernel(block = n)]
fn kernel(_g: &Group, n: usize) {}

fn main() {}
