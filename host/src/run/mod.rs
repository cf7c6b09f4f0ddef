//! A launch on the host's own memory: `kernel.run(…)` copies there, launches, waits and copies back.

mod argument;
mod arguments;
mod host;

pub use argument::Offload;
pub use arguments::OffloadArguments;
pub(crate) use arguments::Ready;
pub use host::{AsMatrix, AsVolume, HostMemory, HostMemoryMut, InOut, Out};
