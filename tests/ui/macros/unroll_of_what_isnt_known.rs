use gridwright::prelude::*;
use gridwright::unroll;

const N: usize = 8;

#[gpu_kernel]
fn kernel(_t: Thread, x: &[f32]) {
    let mut sum = 0.0;
    unroll!(for i in 0..N {
        sum += x[i];
    });
    unroll!(for i in 0..x.len() {
        sum += x[i];
    });
}

fn main() {}
