use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, letter: char) {}

fn main() {}
