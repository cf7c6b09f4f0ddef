use gridwright::prelude::*;

fn main() -> Result<(), gridwright::Error> {
    let stream = Device::cpu()?.stream()?;
    let flags = stream.alloc_unified::<bool>(10)?;
    drop(flags);
    Ok(())
}
