use gridwright::prelude::*;

#[gpu_kernel]
fn nothing() {}

#[gpu_kernel]
fn data_only(x: &[f32]) {}

#[gpu_kernel]
fn data_first(x: &[f32], t: Thread) {}

fn main() {}
