use gridwright::prelude::*;

const T: usize = 16;

#[gpu_kernel(block = (T, T), max_threads = 128)]
fn too_few(_g: &Group) {}

#[gpu_kernel(max_threads = 0, min_groups = 0)]
fn none(_t: Thread) {}

fn main() {}
