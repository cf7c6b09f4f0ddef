use gridwright::prelude::*;

#[gpu_kernel]
unsafe fn kernel(g: &Group, y: *mut f32) {}

fn main() {}
