//! What a condition does unsafely is refused, since it stands in no `unsafe` block of the macro's.
use gridwright::prelude::*;

#[gpu_kernel(requires = { (x.len() as *mut u32).write(7); true })]
fn kernel(_t: Thread, x: &[u32]) {}

fn main() {}
