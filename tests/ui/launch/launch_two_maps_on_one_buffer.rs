use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, mut y: PerThread<[f32]>, mut z: PerThread<[f32], Reversed>) {
    if let (Some(y), Some(z)) = (y.get_mut(t), z.get_mut(t)) {
        (*y, *z) = (*z, *y);
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut y = stream.upload(&[1.0_f32])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&mut y, &mut y))?;
    Ok(())
}
