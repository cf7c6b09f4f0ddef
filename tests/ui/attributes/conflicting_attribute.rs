use gridwright::prelude::*;

#[gpu_kernel]
#[unsafe(no_mangle)]
#[inline]
fn kernel(t: Thread) {}

fn main() {}
