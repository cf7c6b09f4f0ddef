use gridwright::prelude::*;

const ROWS: usize = 0;

#[gpu_kernel(block = (16, ROWS))]
fn kernel(_g: &Group) {}

fn main() {}
