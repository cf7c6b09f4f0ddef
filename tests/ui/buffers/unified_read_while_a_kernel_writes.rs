use gridwright::prelude::*;

#[gpu_kernel]
fn double(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= 2.0;
    }
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = double::load(&device)?;
    let mut x = stream.alloc_unified::<f32>(10)?;
    let seen = x.read()?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut x,))?;
    println!("{}", seen[0]);
    Ok(())
}
