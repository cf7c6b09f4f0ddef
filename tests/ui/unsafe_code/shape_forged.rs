use gridwright::prelude::*;

struct Mine;

impl gridwright::memory::ReadFrom for Mine {
    type Element = f32;
}

fn main() -> Result<(), gridwright::Error> {
    Device::cpu()?.stream()?.download(&Mine)?;
    Ok(())
}
