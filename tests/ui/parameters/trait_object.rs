use gridwright::prelude::*;

#[gpu_kernel]
fn draw(t: Thread, shape: &dyn Fn(f32) -> f32) {}

fn main() {}
