use gridwright::prelude::*;

#[gpu_kernel(block = ())]
fn none(g: &Group) {}

#[gpu_kernel(block = (4, 4, 4, 4))]
fn four(g: &Group) {}

fn main() {}
