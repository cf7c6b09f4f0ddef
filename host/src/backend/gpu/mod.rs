//! GPUs: what entries are called with, what threads leave to be told, and which image is taken. In it are the drivers, and the
//! emulator.

mod arguments;
#[cfg(any(feature = "cuda", feature = "hip"))]
pub(super) mod driver;
#[cfg(feature = "emulator")]
mod emulator;
mod heap;
mod images;
mod launched;
mod message;
mod record;

use arguments::Arguments;
#[cfg(feature = "emulator")]
pub(crate) use emulator::Emulator;
use heap::{HeapMemory, KernelHeap};
use launched::Launched;
use record::{Link, Shared};
