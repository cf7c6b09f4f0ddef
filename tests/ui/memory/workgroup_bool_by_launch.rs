use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(256).workgroup::<bool>(256), ())?;
    Ok(())
}
