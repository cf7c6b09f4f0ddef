use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, mask: &[bool], mut out: PerThread<[bool]>) {}

fn main() {}
