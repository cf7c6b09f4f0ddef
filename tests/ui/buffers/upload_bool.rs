use gridwright::prelude::*;

fn main() -> Result<(), gridwright::Error> {
    let stream = Device::cpu()?.stream()?;
    stream.upload(&[true])?;
    Ok(())
}
