use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == n)]
fn kernel(t: Thread, x: &[f32], n: u32) {}

#[gpu_kernel(requires = xs.len() == 4)]
fn unknown_name(t: Thread, x: &[f32]) {}

#[gpu_kernel(requires = x.len())]
fn not_a_condition(t: Thread, x: &[f32]) {}

fn main() {}
