use gridwright::prelude::*;

#[gpu_kernel]
unsafe fn kernel(t: Thread, slice: *mut [f32], list: *const *const f32, flags: *const bool) {}

fn main() {}
