use gridwright::prelude::*;

#[gpu_kernel]
fn by_value(t: Thread, x: Vec<f32>) {}

#[gpu_kernel]
fn by_reference(t: Thread, x: &Vec<f32>) {}

fn main() {}
