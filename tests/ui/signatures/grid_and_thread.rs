use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_grid: &Grid, _t: Thread) {}

fn main() {}
