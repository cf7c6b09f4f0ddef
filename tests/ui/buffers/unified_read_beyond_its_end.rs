use gridwright::prelude::*;

fn main() -> Result<(), gridwright::Error> {
    let stream = Device::cpu()?.stream()?;
    let seen = {
        let x = stream.alloc_unified::<f32>(10)?;
        x.read()?
    };
    println!("{}", seen[0]);
    Ok(())
}
