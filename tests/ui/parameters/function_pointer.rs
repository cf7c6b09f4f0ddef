use gridwright::prelude::*;

#[gpu_kernel]
fn apply(t: Thread, f: fn(f32) -> f32) {}

fn main() {}
