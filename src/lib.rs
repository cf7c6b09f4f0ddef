//! Safe GPU kernels in plain Rust, launched through typed launchers.
//!
//! A kernel is a function with [`#[gpu_kernel]`](gpu_kernel). Each of its threads gets a [`Thread`], reads slices
//! and matrices, and writes only what is its own, through [`PerThread`]. There is no `unsafe` in it, and it
//! can't race, leave its bounds or be launched with the wrong arguments.
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// y = a*x + y, one thread an element.
//! #[gpu_kernel(requires = x.len() == y.len())]
//! fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
//!     if let Some(y) = y.get_mut(t) {
//!         *y = a.mul_add(x[t.index()], *y);
//!     }
//! }
//!
//! #[host_only]
//! fn main() -> Result<(), gridwright::Error> {
//!     let device = Device::from_env()?;
//!     let stream = device.stream()?;
//!     let x = stream.upload(&[1.0_f32; 1000])?;
//!     let mut y = stream.upload(&[2.0_f32; 1000])?;
//!
//!     let kernel = saxpy::load(&device)?;
//!     kernel.launch(&stream, LaunchConfig::threads(1000), (3.0, &x, &mut y))?;
//!
//!     assert!(stream.download(&y)?.iter().all(|&v| v == 5.0));
//!     Ok(())
//! }
//! ```
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | write a kernel | [`gpu_kernel`], [`Thread`], [`PerThread`], [`Matrix`], [`KernelArg`] |
//! | choose a device and move data | [`Device`], [`Stream`], [`Buffer`], [`MatrixBuffer`], [`PinnedBuffer`], [`Event`] |
//! | share memory with a device | [`UnifiedBuffer`], [`Stream::alloc_unified`], [`Stream::alloc_mapped`] |
//! | launch | [`Kernel`], [`LaunchConfig`] |
//! | launch on the host's own slices | [`Kernel::run`], [`InOut`], [`Out`], [`AsMatrix`], [`AsVolume`] |
//! | port CUDA code line by line | [`sync_threads`], [`UnsafeKernel`], [`Workgroup::as_mut_ptr`] |
//! | launch what another compiler made | [`foreign_kernels`], [`UnsafeKernel`] |
//! | print from a kernel | [`gpu_println!`], [`Device::on_print`] |
//! | know what went wrong | [`Error`], [`ConfigError`] |
//!
//! # Names
//!
//! In a device image a kernel is known by its name alone, so that a crate has one of each:
//!
//! ```compile_fail
//! use gridwright::prelude::*;
//!
//! mod here {
//!     use super::*;
//!
//!     #[gpu_kernel]
//!     pub fn clear(_t: Thread) {}
//! }
//!
//! mod there {
//!     use super::*;
//!
//!     #[gpu_kernel]
//!     pub fn clear(_t: Thread) {} // error: symbol `gridwright_kernel_names_must_be_unique_…` is already defined
//! }
//! # fn main() {}
//! ```
//!
//! # Features
//!
//! - `cuda` (default): NVIDIA GPUs, by their driver, which is loaded at run time if it is there.
//! - `cudarc`: `interop`, which hands buffers and streams of NVIDIA GPUs to cudarc and its libraries, and back. It has cudarc's
//!   types in its signatures: cudarc's next version is one of ours.
//! - `emulator`: [`Device::emulator`], a GPU in the program itself, with checks: for tests.
//! - `glam`: glam's vectors and matrices as kernel arguments.
//! - `half`: `f16` and `bf16` as kernel arguments.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]

// So that what the macros write works in this crate too.
extern crate self as gridwright;

pub use gridwright_core::{
    Bytes, Carveout, ConfigError, Dim, KernelArg, LaunchAttributes, LaunchConfig, Limits, Partition, Sets,
    WorkgroupError,
};
/// ```no_run
/// use gridwright::prelude::*;
///
/// #[foreign_kernels("kernel-image/src/fixtures/two.ptx")]
/// unsafe extern "C" {
///     /// y = a * x + y.
///     ///
///     /// # Safety
///     /// `x` and `y` have `n` elements.
///     fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::from_env()?; // an NVIDIA GPU, or the emulator
/// let stream = device.stream()?;
/// let x = stream.upload(&[1.0_f32; 1000])?;
/// let mut y = stream.upload(&[2.0_f32; 1000])?;
/// let kernel = saxpy::load(&device)?;
/// // SAFETY: both buffers have as many elements.
/// unsafe { kernel.launch(&stream, LaunchConfig::threads(1000), (1000, 3.0, &x, &mut y))? };
/// # Ok(())
/// # }
/// ```
///
/// A declaration that the image contradicts doesn't compile:
///
/// ```compile_fail,E0080
/// # use gridwright::prelude::*;
/// #[foreign_kernels("kernel-image/src/fixtures/two.ptx")]
/// unsafe extern "C" {
///     // error: in `…/two.ptx` parameter 1 of `saxpy` has 4 bytes: declare a type of as many
///     fn saxpy(n: u32, a: f64, x: *const f32, y: *mut f32);
/// }
/// # fn main() {}
/// ```
///
/// Nor does a launch without the memory that the kernel takes:
///
/// ```compile_fail,E0277
/// # use gridwright::prelude::*;
/// # #[derive(Clone, Copy, KernelArg)]
/// # #[repr(C)]
/// # struct Pair { a: f32, b: u32, c: f64 }
/// #[foreign_kernels("kernel-image/src/fixtures/two.ptx")]
/// unsafe extern "C" {
///     #[link_name = "_Z7mangled4PairhPf"]
///     fn mangled(p: Pair, c: u8, y: *mut f32, tile: Workgroup<[f32]>);
/// }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::from_env()?;
/// # let stream = device.stream()?;
/// # let mut y = stream.alloc_zeroed(32)?;
/// # let pair = Pair { a: 1.0, b: 2, c: 3.0 };
/// let kernel = mangled::load(&device)?;
/// unsafe { kernel.launch(&stream, LaunchConfig::threads(32), (pair, 1, &mut y))? }; // .workgroup::<f32>(32)
/// # Ok(())
/// # }
/// ```
pub use gridwright_derive::foreign_kernels;
pub use gridwright_derive::{KernelArg, gpu_kernel, host_only};
pub use gridwright_device::arch::{GroupShape, Uniform};
pub use gridwright_device::{
    ArrayElement, Atomic, AtomicInteger, AtomicValue, Atomics, Each, EachFrom, EachMut, FixedSlots, Group,
    GroupMap, GroupMemory, GroupOwned, InPhase, Items, Linear, Local, Matrix, OfGroup, OneAxis, OwnMap,
    OwnMut, OwnShape, Patch, Patches, PerGroup, PerThread, Printable, Private, PrivateMut, ReadEach,
    ReadTile, Repeatable, Reversed, Scope, Shared, SlotMap, Slots, Strided, Take, Thread, Tiles, Transposed,
    View, Volume, Warp, WarpChunks, WarpItems, Whole, Workgroup, WorkgroupAtomics, WorkgroupMut,
    sync_threads,
};
#[cfg(all(feature = "cudarc", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub use gridwright_host::interop;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::{
    Activity, Arguments, AsMatrix, AsVolume, Attributes, Buffer, BufferSlice, BufferSliceMut, Device,
    DeviceKind, Error, Event, Graph, GraphBuilder, HostMemory, HostMemoryMut, InOut, Kernel, MatrixBuffer,
    Measured, Node, Occupancy, Offload, OffloadArguments, Out, Pass, Pending, PinnedBuffer, Priority,
    Profile, ProfileRow, Profiler, ReadFrom, Stream, UnifiedBuffer, UnsafeKernel, VolumeBuffer, WriteTo,
};

/// Prints a line from a kernel: `gpu_println!(t, "x = {}", x)`.
///
/// It takes the thread, a format and an argument for each `{}` of it, at most 16: integers, floats, `bool`, `char` and
/// `&'static str`. `{{` and `}}` are braces. The thread shows that this is the code of one thread, which runs once: at
/// group level and in [`each_while`](Group::each_while) there is no such thread.
///
/// The lines appear on standard output, or go to [`Device::on_print`], at the next call that waits for the device:
/// `synchronize`, `download`, `copy_to_slice` or `run`. Those of one thread are in order; those of different threads are
/// in any order, but each is whole. A thread never waits to print: lines for which there is no room any more are
/// dropped, and their number is told. There is room for 1 MiB, or as many bytes as `GRIDWRIGHT_PRINT_BYTES` says.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn show(t: Thread, x: &[f32]) {
///     if let Some(x) = x.get(t.index()) {
///         gpu_println!(t, "thread {} has {}", t.index(), x);
///     }
/// }
///
/// #[host_only]
/// fn main() -> Result<(), gridwright::Error> {
///     let device = Device::from_env()?;
///     let stream = device.stream()?;
///     let x = stream.upload(&[0.5, 1.5])?;
///     show::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&x,))?;
///     stream.synchronize() // prints both lines
/// }
/// ```
#[macro_export]
macro_rules! gpu_println {
    ($($arguments:tt)*) => {
        $crate::__private::gpu_println!([$crate] $($arguments)*)
    };
}

/// What a file with a kernel and its host needs: `use gridwright::prelude::*;`.
pub mod prelude {
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use crate::{
        AsMatrix, AsVolume, Buffer, Device, Event, InOut, Kernel, MatrixBuffer, Out, Stream, UnifiedBuffer,
        VolumeBuffer,
    };
    pub use crate::{
        Atomic, EachFrom, Group, GroupShape, KernelArg, LaunchConfig, Local, Matrix, PerGroup, PerThread,
        Private, Reversed, Scope, Thread, Tiles, Transposed, Volume, Warp, Workgroup, WorkgroupMut,
        foreign_kernels, gpu_kernel, gpu_println, host_only, sync_threads,
    };
    pub use core::sync::atomic::Ordering;
    #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
    pub use gridwright_device::arch::Float;
}

/// What the macros write paths into. Not for people: it changes with any version.
#[doc(hidden)]
pub mod __private {
    pub use bytemuck;
    pub use gridwright_core::{
        Bounds, COLLECTIVE_BYTES, GroupExtent, Image, ImageEntry, ImageKind, ImageParameter, Images,
        IndexWidth, KernelArg, Layout, MatrixExtent, Param, ParamList, PartitionLayout, Refused, SliceExtent,
        VolumeExtent, partition_bytes, requires,
    };
    pub use gridwright_derive::gpu_println;
    pub use gridwright_device::arch::GroupShape;
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use gridwright_device::arch::{
        Chunk, Cpu, FiberKernel, GroupKernel, GroupPlace, Raw, Shape, Signature, ThreadKernel, fibers,
        run_chunk, run_groups, run_threads, with_fiber_parameters, with_parameters,
    };
    #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
    pub use gridwright_device::arch::{
        any_thread, atomic, by_words, group, memory, memory_of_threads, own_matrix, own_slice, own_volume,
        per_group, per_group_matrix, per_group_tiles, read_matrix, read_slice, read_volume, thread,
        thread_of_group,
    };
    pub use gridwright_device::{
        AnyBlock, ArrayElement, FixedBlock, Group, Linear, Memory, Thread, argument, print,
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use gridwright_host::{Device, Error, Kernel, UnsafeKernel, load, load_unsafe};
}
