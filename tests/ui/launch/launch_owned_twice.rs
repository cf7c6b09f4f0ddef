use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut y: PerThread<[u32]>, mut out: PerGroup<[u32]>) {
    g.each(y.elements_mut(), |_, y| drop(y));
    out.set(g, 1);
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut y = stream.upload(&[1_u32; 64])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(64), (&mut y, &mut y))?;
    Ok(())
}
