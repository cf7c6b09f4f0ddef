//! The host's side of Gridwright: [`Device`], [`Stream`], [`Event`], [`Buffer`], [`Kernel`], [`UnsafeKernel`],
//! [`Graph`] and the one [`Error`].
//!
//! A driver is one module under `backend`, behind one small trait. Everything that a caller can get
//! wrong is checked above that trait, before anything is launched; a backend may rely on it.

#![forbid(clippy::unwrap_used, clippy::expect_used)]

mod accesses;
mod allocation;
mod arguments;
#[cfg(feature = "ndarray")]
mod arrays;
mod backend;
mod buffer;
mod buffer_parts;
mod copy;
mod copy_box;
mod cpu_arguments;
mod device;
mod device_info;
mod device_kind;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod driver_arguments;
mod drivers;
mod environment;
mod error;
mod event;
mod graph;
mod host_function;
mod host_memory;
#[cfg(feature = "cudarc")]
pub mod interop;
mod kernel;
mod launch;
mod launch_attributes;
mod memory_bytes;
mod occupancy;
mod on_cpu;
mod on_host;
mod parts;
mod pass;
mod peer;
mod pinned;
mod priority;
mod profile;
mod run;
mod slice;
mod staging;
mod stream;
mod submission;
mod texture;
mod transfer;
mod unified;
mod unsafe_kernel;
mod vectors;
mod volume;
mod with_driver;

pub use arguments::Arguments;
#[cfg(feature = "ndarray")]
pub use arrays::{ArrayDimension, ArrayMemory};
pub use buffer::{Buffer, MatrixBuffer};
pub use copy_box::VolumePart;
pub use device::Device;
pub use device_info::{DeviceInfo, DriverInfo};
pub use device_kind::DeviceKind;
pub use driver_arguments::{DriverArguments, DriverDestination};
pub use error::Error;
pub use event::Event;
pub use graph::{Graph, GraphBuilder, Node};

pub use buffer_parts::BufferParts;
pub use cpu_arguments::{CpuArguments, CpuDestination, InOrder, Overwritten, RawElements};
pub use gridwright_cpu::Workers;
pub use kernel::{Kernel, load};
pub use memory_bytes::{MemoryBytes, MemoryBytesMut};
pub use occupancy::{Attributes, Occupancy};
pub use parts::{BufferScattered, BufferSegments, BufferSegmentsMut, DistinctIndices, MatrixTiles, Offsets};
pub use pass::Pass;
pub use pinned::{Pending, PinnedBuffer};
pub(crate) use priority::Priorities;
pub use priority::Priority;
pub use profile::{Activity, Measured, Profile, ProfileRow, Profiler};
pub use run::{AsMatrix, AsVolume, HostMemory, HostMemoryMut, InOut, Offload, OffloadArguments, Out};
pub use slice::{BufferSlice, BufferSliceMut};
pub use stream::Stream;
pub use texture::TextureBuffer;
pub use transfer::{ReadFrom, WriteTo};
pub use unified::UnifiedBuffer;
pub use unsafe_kernel::{UnsafeKernel, load_unsafe};
pub use volume::VolumeBuffer;
pub use with_driver::DriverStream;
