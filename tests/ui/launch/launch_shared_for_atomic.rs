use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, counts: Atomic<[u32]>) {
    counts.fetch_add(t, 0, 1);
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let counts = stream.upload(&[0_u32])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&counts,))?;
    Ok(())
}
