use gridwright::prelude::*;

#[gpu_kernel(instances(f32, f64, f32))]
fn fill<T: Copy>(t: Thread, value: T, mut y: PerThread<[T]>) {}

fn main() {}
