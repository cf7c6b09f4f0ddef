use gridwright::prelude::*;

#[gpu_kernel(index = u16, grid = 4)]
async fn kernel(x: &mut [f32], flag: bool) -> u32 {
    0
}

// What uses the kernel has no errors of its own.
fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut x = stream.upload(&[1.0_f32; 4])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut x, true))?;
    Ok(())
}
