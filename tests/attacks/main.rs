//! Safe programs that try to break the promises of group kernels, and don't: each ends with the right result, or with an
//! error that says what went wrong. What must not compile is in `tests/ui`.

use gridwright::Error;
use gridwright::prelude::*;

mod collectives;
mod each_while;
mod memory;
mod nesting;
mod panics;
mod private;
mod sizes;
mod warps;

type Result<T = ()> = std::result::Result<T, Error>;

fn cpu() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

/// What the kernel said when it panicked.
fn panicked(stream: &Stream) -> String {
    match stream.synchronize() {
        Err(Error::KernelPanic { message, .. }) => message,
        other => panic!("no panic of a kernel: {other:?}"),
    }
}
