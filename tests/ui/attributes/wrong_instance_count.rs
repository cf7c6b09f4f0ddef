use gridwright::prelude::*;

#[gpu_kernel(instances(f32, (f64, 4), (f64, 4, 8)))]
fn fill<T: Copy, const N: usize>(t: Thread, value: T, mut y: PerThread<[[T; N]]>) {
    if let Some(y) = y.get_mut(t) {
        *y = [value; N];
    }
}

fn main() {}
