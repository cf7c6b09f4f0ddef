use gridwright::prelude::*;

#[gpu_kernel]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(&[1.0_f32])?;
    let mut y = stream.upload(&[1.0_f32])?;
    let kernel = saxpy::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(1), (3, &x, &mut y))?;
    Ok(())
}
