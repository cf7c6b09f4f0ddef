use gridwright::prelude::*;

#[gpu_kernel]
fn fill<T: KernelArg>(_t: Thread, _value: T, _y: PerThread<[T]>) {}

fn main() -> Result<(), gridwright::Error> {
    fill::<f32>::load(&Device::cpu()?)?;
    Ok(())
}
