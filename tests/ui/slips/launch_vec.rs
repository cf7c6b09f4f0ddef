use gridwright::prelude::*;

#[gpu_kernel]
fn double(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = 2.0 * x[t.index()];
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = vec![1.0_f32; 10];
    let mut y = vec![0.0_f32; 10];
    double::load(&device)?.launch(&stream, LaunchConfig::threads(10), (&x, &mut y))?;
    Ok(())
}
