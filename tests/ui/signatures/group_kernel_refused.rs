use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[bool]>, mut scratch: Workgroup<[f32]>) {}

// What uses the kernel has no errors of its own.
fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut out = stream.upload(&[1.0_f32; 4])?;
    let config = LaunchConfig::threads(4).workgroup::<f32>(256);
    kernel::load(&device)?.launch(&stream, config, (&mut out,))?;
    Ok(())
}
