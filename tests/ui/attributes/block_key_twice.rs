use gridwright::prelude::*;

#[gpu_kernel(block = 128, max_threads = 256, block = 256)]
fn kernel(g: &Group) {}

fn main() {}
