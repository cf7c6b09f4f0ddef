use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, mut _scratch: Workgroup<[f32]>) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(256), ())?;
    Ok(())
}
