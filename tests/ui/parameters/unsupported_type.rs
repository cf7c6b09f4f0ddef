use gridwright::prelude::*;

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[gpu_kernel]
fn kernel(t: Thread, by_value: Plain, slice: &[Plain]) {}

fn main() {}
