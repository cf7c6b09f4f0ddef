use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, mut _tile: Workgroup<[f32; 256]>) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(256).workgroup::<f32>(256);
    kernel::load(&device)?.launch(&stream, config, ())?;
    Ok(())
}
