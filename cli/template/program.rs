use gridwright::prelude::*;

/// y = a*x + y, one thread an element.
#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

#[host_only]
fn main() -> Result<(), gridwright::Error> {
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let x = stream.upload(&[1.0_f32; 1000])?;
    let mut y = stream.upload(&[2.0_f32; 1000])?;

    let kernel = saxpy::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (3.0, &x, &mut y))?;

    let y = stream.download(&y)?;
    assert!(y.iter().all(|&v| v == 5.0));
    println!("{}: {} elements, each {}", device.name(), y.len(), y[0]);
    Ok(())
}
