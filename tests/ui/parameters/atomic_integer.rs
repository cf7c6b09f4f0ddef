use core::sync::atomic::AtomicU32;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, bins: &[AtomicU32]) {}

fn main() {}
