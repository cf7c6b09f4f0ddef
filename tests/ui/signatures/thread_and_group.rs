use gridwright::prelude::*;

#[gpu_kernel]
fn of_a_group(g: &Group, t: Thread, x: &[f32]) {}

#[gpu_kernel]
fn of_a_thread(t: Thread, g: &Group, x: &[f32]) {}

fn main() {}
