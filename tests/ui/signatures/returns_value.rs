use gridwright::prelude::*;

#[gpu_kernel]
fn sum(t: Thread, x: &[f32]) -> f32 {
    x[t.index()]
}

fn main() {}
