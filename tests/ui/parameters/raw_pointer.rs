use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: *const f32, y: *mut f32) {}

fn main() {}
