use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, #[cfg(debug_assertions)] log: u32) {}

fn main() {}
