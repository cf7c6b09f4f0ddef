use gridwright::prelude::*;

#[gpu_kernel]
fn fill<T: Copy>(t: Thread, value: T, mut y: PerThread<[T]>) {}

fn main() {}
