use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[u32]>) {
    out.set(g, 1);
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let out = stream.upload(&[0_u32])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&out,))?;
    Ok(())
}
