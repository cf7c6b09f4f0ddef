use gridwright::prelude::*;

#[gpu_kernel(instances(f32, f64))]
fn fill<T: KernelArg>(t: Thread, value: T, mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        *y = value;
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    fill::<u8>::load(&device)?;
    Ok(())
}
