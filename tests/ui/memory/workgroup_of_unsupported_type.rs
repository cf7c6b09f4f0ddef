use gridwright::prelude::*;

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[gpu_kernel]
fn kernel(g: &Group, mut scratch: Workgroup<[Plain]>) {}

fn main() {}
