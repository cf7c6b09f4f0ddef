use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _a: Workgroup<[f32]>, _b: Workgroup<[f32]>) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(256).dyn_workgroup_bytes(1024), ())?;
    Ok(())
}
