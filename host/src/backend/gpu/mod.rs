//! What every backend that runs images shares: what entries are called with, and what threads leave to be told.

mod arguments;
mod heap;
mod launched;
mod message;
mod record;

pub(super) use arguments::Arguments;
pub(super) use heap::{HeapMemory, KernelHeap};
pub(super) use launched::Launched;
pub(super) use record::{Link, Shared};
