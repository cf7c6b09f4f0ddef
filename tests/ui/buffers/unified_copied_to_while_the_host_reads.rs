use gridwright::prelude::*;

fn main() -> Result<(), gridwright::Error> {
    let stream = Device::cpu()?.stream()?;
    let other = stream.upload(&[1.0_f32; 10])?;
    let mut x = stream.alloc_unified::<f32>(10)?;
    let seen = x.read()?;
    stream.copy(&other, &mut x)?;
    println!("{}", seen[0]);
    Ok(())
}
