use gridwright::prelude::*;
use gridwright::unroll;

#[gpu_kernel]
fn kernel(_t: Thread, x: &[f32]) {
    let mut sum = 0.0;
    unroll!(4; for i in 0.. {
        sum += x[i];
    });
    unroll!(4; for x in x {
        sum += x;
    });
    unroll!(0; for i in 0..x.len() {
        sum += x[i];
    });
    unroll!(for i in 0..5000 {
        sum += x[i];
    });
    unroll!(4; while sum < 1.0 {
        sum += 1.0;
    });
}

fn main() {}
