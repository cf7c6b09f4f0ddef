use gridwright::prelude::*;

#[gpu_kernel]
fn double(t: Thread, x: &mut [f32]) {
    x[t.index()] *= 2.0;
}

fn main() {}
