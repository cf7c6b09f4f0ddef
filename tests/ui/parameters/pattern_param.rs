use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, [a, b]: [f32; 2], _: u32) {}

fn main() {}
