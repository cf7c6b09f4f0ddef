use gridwright::prelude::*;

#[gpu_kernel(block = (16, 16_u32), max_threads = 256.0)]
fn kernel(_g: &Group) {}

fn main() {}
