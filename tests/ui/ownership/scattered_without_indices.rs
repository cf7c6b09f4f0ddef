use gridwright::prelude::*;

#[gpu_kernel]
fn scatter(t: Thread, mut y: PerThread<Scattered<f32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = 1.0;
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut y = stream.alloc_zeroed(4)?;
    scatter::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut y,))
}
