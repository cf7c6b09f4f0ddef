use gridwright::prelude::*;

#[gpu_kernel]
struct Kernel {
    x: f32,
}

fn main() {}
