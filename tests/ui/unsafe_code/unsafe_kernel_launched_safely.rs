use gridwright::prelude::*;

#[gpu_kernel]
unsafe fn kernel(t: Thread, y: *mut f32) {
    unsafe { *y.add(t.index()) = 1.0 };
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut y = stream.alloc_zeroed::<f32>(256)?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(256), (&mut y,))
}
