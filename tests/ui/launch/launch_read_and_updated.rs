use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &[u32], counts: Atomic<[u32]>) {
    counts.fetch_add(t, 0, x[0]);
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u32])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&x, &mut x))?;
    Ok(())
}
