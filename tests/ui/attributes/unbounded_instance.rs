use gridwright::prelude::*;

#[gpu_kernel(instances(f32, u32))]
fn negate<T: KernelArg + std::ops::Neg<Output = T>>(t: Thread, mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        *y = -*y;
    }
}

fn main() {}
