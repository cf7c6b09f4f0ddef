//! What a device's driver has to offer, in small traits of a noun each, and the drivers.
//!
//! | module | what it holds |
//! |---|---|
//! | `information`, `output` | what a device is; what its kernels leave: printed lines, and their heap |
//! | `memory`, `unified`, `pinned`, `textures` | memory, and copies |
//! | `streams`, `kernels`, `graphs`, `peers` | streams and events, kernels and launches, recorded work, several devices |
//! | `queued` | streams around a device that does what it is told at once: all traits over one small one, `Engine` |
//! | `cpu`, `gpu::emulator`, `toy` | three such engines, the last to learn from |
//! | `gpu` | what GPUs share; in it `driver`, and in that `cuda` and `hip` |
//! | `uses` | who used memory last |
//! | `host_allocation`, `printed` | memory of the host; lines on their way to who reads them |
//!
//! Backends look down at [`submission`](crate::submission), and know nothing of the host's `Device`, `Stream` or `Buffer`.

use std::any::Any;
use std::fmt::Debug;

mod cpu;
#[cfg(any(feature = "cuda", feature = "hip", feature = "emulator"))]
mod gpu;
mod graphs;
mod host_allocation;
mod information;
mod kernels;
mod memory;
mod output;
mod peers;
mod pinned;
mod printed;
mod queued;
mod streams;
mod textures;
#[cfg(feature = "toy")]
mod toy;
mod unified;
mod uses;

pub(crate) use cpu::Cpu;
#[cfg(feature = "emulator")]
pub(crate) use gpu::Emulator;
#[cfg(feature = "cuda")]
pub(crate) use gpu::driver::Cuda;
#[cfg(feature = "hip")]
pub(crate) use gpu::driver::Hip;
#[cfg(feature = "cudarc")]
pub(crate) use gpu::driver::cuda_of;
pub(crate) use graphs::Graphs;
pub(crate) use information::Information;
pub(crate) use kernels::{Kernels, Launches};
pub(crate) use memory::DeviceMemory;
pub(crate) use output::Output;
pub(crate) use peers::{PeerUse, Peers};
pub(crate) use pinned::PinnedMemory;
pub(crate) use printed::Printed;
pub(crate) use streams::Streams;
pub(crate) use textures::Textures;
#[cfg(feature = "toy")]
pub(crate) use toy::Toy;
pub(crate) use unified::UnifiedMemory;

/// A device's driver. All checks are done above it: sizes, lengths and owners are right when it is called.
///
/// What is submitted to a stream runs in order, perhaps after the call has returned. A backend keeps work on several
/// streams that uses the same memory in the order of the calls, if one of the two writes.
pub(crate) trait Backend:
    Any
    + Debug
    + Send
    + Sync
    + Information
    + Output
    + DeviceMemory
    + UnifiedMemory
    + PinnedMemory
    + Textures
    + Streams
    + Kernels
    + Launches
    + Graphs
    + Peers
{
}
