use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
fn copy(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()];
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = copy::load(&device)?;
    let mut x = stream.alloc_mapped::<f32>(10)?;
    let mut y = stream.alloc_zeroed::<f32>(10)?;
    let host = x.write()?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&x, &mut y))?;
    host[0] = 1.0;
    Ok(())
}
