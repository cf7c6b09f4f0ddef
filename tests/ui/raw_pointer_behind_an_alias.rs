use gridwright::prelude::*;

type Pointer = *mut f32;

#[gpu_kernel]
fn of_a_thread(t: Thread, y: Pointer) {}

#[gpu_kernel]
fn of_a_group(g: &Group, y: Pointer) {}

fn main() {}
