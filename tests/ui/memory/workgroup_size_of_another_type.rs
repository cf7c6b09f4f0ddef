use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, mut _keys: Workgroup<[u32]>, mut _values: Workgroup<[f32]>) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(256).workgroup::<f32>(256).workgroup::<u32>(256);
    kernel::load(&device)?.launch(&stream, config, ())?;
    Ok(())
}
