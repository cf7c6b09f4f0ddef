use gridwright::prelude::*;

type Pointer = *mut f32;

#[gpu_kernel]
fn of_a_thread(_t: Thread, _y: Pointer) {}

#[gpu_kernel]
fn of_a_group(_g: &Group, _y: Pointer) {}

fn main() {}
