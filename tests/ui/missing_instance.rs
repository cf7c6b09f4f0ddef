use gridwright::prelude::*;

#[gpu_kernel(instances(f32, f64))]
fn fill<T: Copy>(t: Thread, value: T, mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        *y = value;
    }
}

fn main() {
    let device = Device::cpu();
    let _ = fill::<u8>::load(&device);
}
