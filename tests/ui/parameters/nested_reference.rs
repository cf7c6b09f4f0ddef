use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, rows: &[&[f32]]) {}

fn main() {}
