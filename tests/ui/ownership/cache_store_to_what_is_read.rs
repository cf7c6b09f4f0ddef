use gridwright::cache::{self, Hint};
use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[f32]) {
    cache::store(&mut x[t.index()], 0.0, Hint::Streaming);
}

fn main() {}
