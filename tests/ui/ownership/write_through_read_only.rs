use gridwright::prelude::*;

#[gpu_kernel]
fn write(t: Thread, x: &[f32]) {
    x[t.index()] = 1.0;
}

fn main() {}
