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
//!     let y = stream.download(&y)?;
//!     assert!(y.iter().all(|&v| v == 5.0));
//!     println!("{}: {} elements, each {}", device.name(), y.len(), y[0]);
//!     Ok(())
//! }
//! ```
//!
//! # Where things are
//!
//! The root has what a first kernel needs, and modules the rest.
//!
//! | to | see |
//! |---|---|
//! | write a kernel of threads | [`gpu_kernel`], [`Thread`], [`PerThread`], [`Matrix`], [`Volume`], [`KernelArg`], [`unroll!`] |
//! | write one of workgroups | [`Group`], [`Workgroup`], [`PerGroup`], [`Private`], [`Tiles`], [`Rows`] |
//! | name what a helper function of groups takes | [`group`] |
//! | name what phases hand out | [`views`] |
//! | say which thread or group owns what | [`ownership`]: other orders, segments, lists, tiles where the launch says |
//! | write code of warps | [`warp`] |
//! | write code of several workgroups | [`cluster`]; of the whole launch, [`grid`] |
//! | update what others update too | [`Atomic`], [`Scope`], [`atomic`] |
//! | sample images | [`texture`] |
//! | multiply by matrix units | [`matrix`] |
//! | compute | [`math`], [`int`], [`random`], [`numbers`] |
//! | choose a device and move data | [`Device`], [`Stream`], [`Buffer`], [`MatrixBuffer`], [`VolumeBuffer`], [`Event`] |
//! | move data faster, or share it with a device | [`memory`]; in kernels [`cache`] and [`hint`] too |
//! | allocate in kernels | `heap`, with the feature `alloc` |
//! | launch | [`Kernel`], [`LaunchConfig`]; with the details, [`launch`] |
//! | launch on the host's own slices | [`Kernel::run`], [`InOut`], [`Out`], [`AsMatrix`], [`AsVolume`] |
//! | repeat launches as one | [`graph`], [`Stream::capture`] |
//! | measure | [`profile`], [`Event`], [`Kernel::occupancy`], [`Kernel::attributes`] |
//! | port CUDA code line by line | [`sync_threads`], [`launch::UnsafeKernel`], [`Workgroup::as_mut_ptr`] |
//! | launch what another compiler made | [`foreign_kernels`], [`launch::UnsafeKernel`] |
//! | share buffers with cudarc | `interop`, with the feature `cudarc` |
//! | write kernels that others use with their types | [`instance!`], [`kernel_trait!`], [`operator!`], [`Operator`] |
//! | share buffers with NumPy, PyTorch and others | `dlpack`, with the feature `dlpack` |
//! | print from a kernel | [`gpu_println!`], [`Device::on_print`] |
//! | know what went wrong | [`Error`], [`ConfigError`] |
//! | know what a word means | the book's [glossary](https://github.com/gridwright/gridwright/blob/main/book/src/glossary.md) |
//!
//! # Names
//!
//! A kernel is known by its path, so that modules have kernels of one name:
//!
//! ```
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
//!     pub fn clear(_t: Thread) {}
//! }
//! # fn main() {}
//! ```
//!
//! Functions are in no path, so that two of one module don't:
//!
//! ```compile_fail
//! use gridwright::prelude::*;
//!
//! fn here() {
//!     #[gpu_kernel]
//!     fn clear(_t: Thread) {}
//! }
//!
//! fn there() {
//!     #[gpu_kernel]
//!     fn clear(_t: Thread) {} // error: symbol `gridwright_kernel_names_must_be_unique_in_a_module__…` is already defined
//! }
//! # fn main() {}
//! ```
//!
//! # Features
//!
//! - `alloc`: `Vec`, `Box`, `String` and `format!` in kernels: see `heap`.
//! - `cuda` (default): NVIDIA GPUs, by their driver, which is loaded at run time if it is there.
//! - `cudarc`: `interop`, which hands buffers and streams of NVIDIA GPUs to cudarc and its libraries, and back. It has cudarc's
//!   types in its signatures: cudarc's next version is one of ours.
//! - `dlpack`: `dlpack`, which hands buffers as DLPack tensors to NumPy, PyTorch and others, and takes theirs.
//! - `emulator`: [`Device::emulator`], a GPU in the program itself, with checks: for tests.
//! - `glam`: glam's vectors and matrices as kernel arguments.
//! - `half`: `f16` and `bf16` as kernel arguments.
//! - `hip` (default): AMD GPUs, by their runtime, which is loaded at run time if it is there.
//! - `ndarray`: arrays of `ndarray` to devices and back, as `Stream::upload_array` does, and as arguments of [`Kernel::run`].
//! - `num-traits`: the traits of `num-traits` for [`numbers::F16`] and [`numbers::Bf16`].
//! - `rand`: the traits of `rand_core` for [`random::Philox`].
//!
//! # From CUDA
//! The section of this name, at an item, says what the item is in CUDA. The book's page *CUDA to Gridwright*
//! has tables of them.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]

// So that what the macros write works in this crate too.
extern crate self as gridwright;

// Before the modules: the compiler lists what implements a trait in the order in which it meets crates, and plain numbers are here.
pub use gridwright_core::{ConfigError, Dim, KernelArg, LaunchConfig, Operator};

pub mod atomic;
pub mod cluster;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub mod graph;
pub mod grid;
pub mod group;
#[cfg(feature = "alloc")]
pub mod heap;
pub mod launch;
pub mod level;
pub mod matrix;
pub mod memory;
pub mod numbers;
pub mod ownership;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub mod profile;
pub mod texture;
pub mod views;
pub mod warp;

/// ```
/// use gridwright::prelude::*;
///
/// /// Passed by value and as an element of buffers.
/// #[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
/// #[repr(C)]
/// struct Body {
///     position: [f32; 3],
///     mass: f32,
/// }
///
/// let stream = Device::cpu()?.stream()?;
/// let bodies = stream.upload(&[Body { position: [0.0; 3], mass: 1.0 }; 10])?;
/// assert_eq!(stream.download(&bodies)?[9].mass, 1.0);
/// # Ok::<(), gridwright::Error>(())
/// ```
pub use gridwright_derive::KernelArg;
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
/// ```
/// use gridwright::prelude::*;
///
/// /// Each element minus the group's mean.
/// #[gpu_kernel(block = 256, requires = x.len() == y.len())]
/// fn centred(g: &Group, x: &[f32], mut y: PerThread<[f32]>) {
///     let values = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(0.0));
///     let mean = g.reduce(&values, |a, b| a + b) / g.len() as f32;
///     g.each((&values, y.elements_mut()), |_, (value, y)| {
///         if let Some(y) = y {
///             *y = value - mean;
///         }
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let (x, mut y) = (stream.upload(&[3.0_f32; 512])?, stream.alloc_zeroed(512)?);
/// centred::load(&device)?.launch(&stream, LaunchConfig::threads(512), (&x, &mut y))?;
/// assert_eq!(stream.download(&y)?, [0.0; 512]);
/// # Ok(())
/// # }
/// ```
pub use gridwright_derive::gpu_kernel;
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn clear(t: Thread, mut x: PerThread<[f32]>) {
///     if let Some(x) = x.get_mut(t) {
///         *x = 0.0;
///     }
/// }
///
/// #[host_only] // device code has no `std`, and no `Device`
/// fn main() -> Result<(), gridwright::Error> {
///     let (device, mut x) = (Device::cpu()?, vec![1.0_f32; 10]);
///     clear::load(&device)?.run(&device, LaunchConfig::threads(10), (Out(&mut x),))
/// }
/// ```
pub use gridwright_derive::host_only;
/// ```
/// use gridwright::prelude::*;
/// use gridwright::unroll;
///
/// /// A polynomial, by Horner's rule.
/// #[gpu_kernel]
/// fn polynomial(t: Thread, factors: [f32; 8], x: &[f32], mut y: PerThread<[f32]>) {
///     if let Some(y) = y.get_mut(t) {
///         let x = x[t.index()];
///         let mut sum = 0.0_f32;
///         unroll!(for i in 0..8 {
///             sum = sum.mul_add(x, factors[i]);
///         });
///         *y = sum;
///     }
/// }
///
/// /// The sum of the elements before the first that is negative, four at a time.
/// fn sum_of_first(x: &[f32]) -> f32 {
///     let mut sum = 0.0;
///     unroll!(4; for i in 0..x.len() {
///         if x[i] < 0.0 {
///             break;
///         }
///         sum += x[i];
///     });
///     sum
/// }
///
/// assert_eq!(sum_of_first(&[1.0, 2.0, 3.0, 4.0, 5.0, -1.0, 7.0]), 15.0);
/// ```
pub use gridwright_derive::unroll;
pub use gridwright_device::arch::GroupShape;
pub use gridwright_device::{
    Atomic, Group, InPhase, Level, Local, Matrix, PerGroup, PerThread, Printable, Private, Rows, Scope,
    Thread, Tiles, Volume, Workgroup, WorkgroupMut, sync_threads,
};
pub use gridwright_device::{cache, hint, int, math, random};
#[cfg(all(feature = "dlpack", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub use gridwright_host::dlpack;
#[cfg(all(feature = "cudarc", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub use gridwright_host::interop;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::{
    AsMatrix, AsVolume, Buffer, Device, DeviceInfo, DeviceKind, DriverInfo, Error, Event, InOut, Kernel,
    MatrixBuffer, Out, Priority, Stream, VolumeBuffer,
};

// Old paths of what modules have, and old names. They go in the next version.
#[doc(hidden)]
pub use crate::atomic::{AtomicElement, AtomicInteger, AtomicValue, WorkgroupAtomics, fence};
#[doc(hidden)]
pub use crate::cluster::{Cluster, ClusterAtomics, ClusterItems, ClusterMemory, ClusterParts};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::graph::{Graph, GraphBuilder, Node};
#[doc(hidden)]
pub use crate::grid::{Grid, GridItems, GridMemory, GridParts, GridStride, GridWide, StrideMut};
#[doc(hidden)]
pub use crate::group::{ArrayElement, Blocks, FixedSlots, GroupMemory, OneAxis, Repeatable, Slots, Uniform};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::launch::{Arguments, Attributes, Occupancy, Offload, OffloadArguments, Pass, UnsafeKernel};
#[doc(hidden)]
pub use crate::launch::{Bytes, Carveout, LaunchAttributes, Limits, Partition, Sets, WorkgroupError};
#[doc(hidden)]
pub use crate::matrix::{
    Accumulator, Factor, FactorShape, FragmentSource, FragmentTarget, MatrixA, MatrixB, Product, Sum,
    SumShape, Tf32,
};
#[doc(hidden)]
pub use crate::memory::{AsyncCopies, GetOr, HeapUsage, Loading, Loads, Vector, VectorElement};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::memory::{
    BufferSlice, BufferSliceMut, HostMemory, HostMemoryMut, Pending, PinnedBuffer, ReadFrom, UnifiedBuffer,
    WriteTo,
};
#[doc(hidden)]
pub use crate::numbers::{Bf16, Bf16x2, F16, F16x2, Unfused, unfused_mul};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::ownership::{
    BufferScattered, BufferSegments, BufferSegmentsMut, DistinctIndices, MatrixTiles, Offsets,
};
#[doc(hidden)]
pub use crate::ownership::{
    Column, Columns, Diagonal, GroupMap, GroupOwned, KnownPlacement, Linear, Offset, OwnMap, OwnShape, Owner,
    Padded, Permuted, PlacedTiles, Placement, Reversed, Scattered, Segments, SlotMap, Strided, Transposed,
};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::profile::{Activity, Measured, Profile, ProfileRow, Profiler};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
pub use crate::texture::TextureBuffer;
#[doc(hidden)]
pub use crate::texture::{
    Address, D1, D2, D2Layers, D3, Dimension, Filter, Norm, Sampling, Surface, Surface1d, Surface2d,
    Surface3d, SurfaceLayered2d, Texel, Texture, Texture1d, Texture2d, Texture3d, TextureLayered2d,
};
#[doc(hidden)]
pub use crate::views::{
    Atomics, Deinterleaved, EachFrom, Elements, ElementsMut, First, InnerMut, Items, NewMut, OfGroup, OwnMut,
    Patch, Patches, ReadElements, ReadTile, RowPart, Shared, Take, View, Whole,
};
#[doc(hidden)]
pub use crate::warp::LaneTileSize as TileSize;
#[doc(hidden)]
pub use crate::warp::{
    Coalesced, LaneCount, LaneItems, LanePartition, LaneTile, LaneTileSize, LaneTiles, PrivateMut,
    RowsOfWarp, Warp, WarpChunks, WarpInteger, WarpItems, WarpPrivate, WarpRow, WarpRows, WarpTile,
    WarpTiles,
};
#[doc(hidden)]
#[allow(deprecated)]
pub use gridwright_device::{Each, EachMut, ReadEach, Tile, TileLanes};

/// Prints a line from a kernel: `gpu_println!(t, "x = {}", x)`.
///
/// It takes the thread, a format and an argument for each `{}` of it, at most 16: integers, floats, `bool`, `char` and
/// `&'static str`. `{{` and `}}` are braces. The thread shows that this is the code of one thread, which runs once: at
/// group level and in [`each_while`](level::Threads::each_while) there is no such thread.
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
///
/// # From CUDA
/// `printf` in kernels. Lines come at the next call that waits for the device, too.
/// `GRIDWRIGHT_PRINT_BYTES` stands in for `cudaLimitPrintfFifoSize`. Where there is no room, later lines are
/// dropped: CUDA drops earlier ones.
#[macro_export]
macro_rules! gpu_println {
    ($($arguments:tt)*) => {
        $crate::__private::gpu_println!([$crate] $($arguments)*)
    };
}

/// Instances of generic kernels, where they are used: in the crate that has the types, whichever crate has the kernel.
///
/// `pub kernel scale_all = library::map<f32, Scale>;` is a kernel of this crate by the name `scale_all`, with `load`, as `#[gpu_kernel]` would
/// write it. Its parameters are those of `library::map` with these arguments. The generic kernel says nothing of its instances: a
/// `#[gpu_kernel]` without `instances(…)`, or with a list that ends with `..`.
///
/// `impl library::Sort for Key;` makes all instances that the trait names, which `library` declares by
/// [`kernel_trait!`], and implements the trait.
///
/// ```
/// use gridwright::prelude::*;
///
/// // In a library.
/// /// y = op(x), one thread an element.
/// #[gpu_kernel(requires = x.len() == y.len())]
/// pub fn map<T: KernelArg, O: Operator<(T,), Output = T>>(t: Thread, op: O, x: &[T], mut y: PerThread<[T]>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = op.call((x[t.index()],));
///     }
/// }
///
/// // Where it is used.
/// operator! {
///     /// Multiplies and adds.
///     struct Affine { scale: f32, shift: f32 } = |x: f32| -> f32 { x * scale + shift };
/// }
///
/// instance! {
///     /// y = scale * x + shift.
///     kernel affine = map<f32, Affine>;
/// }
///
/// # #[host_only]
/// fn main() -> Result<(), gridwright::Error> {
///     let device = Device::from_env()?;
///     let stream = device.stream()?;
///     let (x, mut y) = (stream.upload(&[1.0_f32, 2.0])?, stream.alloc_zeroed(2)?);
///     let op = Affine { scale: 2.0, shift: 0.5 };
///     affine::load(&device)?.launch(&stream, LaunchConfig::threads(2), (op, &x, &mut y))?;
///     assert_eq!(stream.download(&y)?, [2.5, 4.5]);
///     Ok(())
/// }
/// ```
///
/// # From CUDA
/// The instantiation of a `__global__` template of a header, by its first launch with those arguments.
#[macro_export]
macro_rules! instance {
    ($($instances:tt)*) => {
        $crate::__private::instance!{[$crate] $($instances)*}
    };
}

/// A trait whose types are instances of generic kernels: by it a library that is generic itself says which kernels it launches for a type.
///
/// Each type is written as the generic kernel that it is an instance of, by its path from `crate::`, with `Self` and the trait's own
/// parameters among the arguments. Users implement the trait for their types by [`instance!`]: `impl library::Sort for Key;`.
///
/// ```
/// use gridwright::prelude::*;
///
/// // The module stands for a library.
/// mod library {
///     use gridwright::prelude::*;
///
///     #[gpu_kernel]
///     pub fn fill<T: KernelArg>(t: Thread, value: T, mut y: PerThread<[T]>) {
///         if let Some(y) = y.get_mut(t) {
///             *y = value;
///         }
///     }
///
///     kernel_trait! {
///         /// What is filled.
///         pub trait Fill: KernelArg {
///             /// Fills a slice.
///             type Kernel = crate::library::fill<Self>;
///         }
///     }
///
///     /// Sets all elements.
///     pub fn fill_all<T: Fill>(stream: &Stream, value: T, y: &mut Buffer<T>) -> Result<(), gridwright::Error> {
///         let kernel = Kernel::<T::Kernel>::load(stream.device())?;
///         kernel.launch(stream, LaunchConfig::threads(y.len()), (value, y))
///     }
/// }
///
/// instance! { impl library::Fill for f32; }
///
/// fn main() -> Result<(), gridwright::Error> {
///     let stream = Device::cpu()?.stream()?;
///     let mut y = stream.alloc_zeroed(3)?;
///     library::fill_all(&stream, 2.5_f32, &mut y)?;
///     assert_eq!(stream.download(&y)?, [2.5; 3]);
///     Ok(())
/// }
/// ```
///
/// # From CUDA
/// What a templated host function instantiates by launching `__global__` templates.
#[macro_export]
macro_rules! kernel_trait {
    ($($declaration:tt)*) => {
        $crate::__private::kernel_trait!{[$crate] $($declaration)*}
    };
}

/// Operators, written like closures with what they capture: structs that kernels take by value and call.
///
/// `struct Affine { scale: f32, shift: f32 } = |x: f32| -> f32 { x * scale + shift };` is a struct with these fields,
/// `#[derive(Clone, Copy, Debug, KernelArg)] #[repr(C)]`, and an implementation of [`Operator<(f32,)>`](Operator). The fields
/// are copies by their names in the body. One without fields captures nothing. `for<T: Real>` in front of the closure makes it an
/// operator on any such `T`.
///
/// ```
/// use gridwright::prelude::*;
///
/// operator! {
///     /// Keeps a value between two others.
///     pub struct Clamp { low: f32, high: f32 } = |x: f32| -> f32 { x.max(low).min(high) };
///
///     /// The larger of two.
///     pub struct Larger = for<T: PartialOrd> |a: T, b: T| -> T { if a < b { b } else { a } };
/// }
///
/// assert_eq!(Clamp { low: 0.0, high: 1.0 }.call((1.5,)), 1.0);
/// assert_eq!(Larger.call((3, 4)), 4);
/// ```
///
/// What a kernel can't be given by value isn't captured:
///
/// ```compile_fail
/// # use gridwright::prelude::*;
/// operator! {
///     // error: an operator is copied to the GPU with what it captures, and what a reference points to isn't
///     struct Look { table: &[f32] } = |i: u32| -> f32 { table[i as usize] };
/// }
/// ```
///
/// # From CUDA
/// A functor, or an extended `__device__` lambda with captures by value.
#[macro_export]
macro_rules! operator {
    ($($operators:tt)*) => {
        $crate::__private::operator!{[$crate] $($operators)*}
    };
}

/// Statements that run on GPUs only, for helpers whose CPU version leaves something out. For those that run on the CPU only there
/// is `if cfg!(not(gridwright_device))`, and for items `#[host_only]` and `#[cfg(gridwright_device)]`.
///
/// ```
/// use gridwright::device_only;
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn wait(t: Thread, ready: Atomic<[u32]>) {
///     while ready.load(t, 0, Scope::Device, Ordering::Acquire) == 0 {
///         device_only! {
///             t.sleep(100);
///         }
///     }
/// }
/// ```
///
/// # From CUDA
/// `#ifdef __CUDA_ARCH__` around statements.
#[macro_export]
macro_rules! device_only {
    ($($statements:tt)*) => {
        #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
        {
            $($statements)*
        }
    };
}

/// `heap::format!` in kernels.
#[cfg(all(feature = "alloc", any(target_arch = "nvptx64", target_arch = "amdgpu")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __format {
    ($($arguments:tt)*) => {
        $crate::__private::format_text!([$crate] $($arguments)*)
    };
}

/// What a file with a kernel and its host needs: `use gridwright::prelude::*;`.
pub mod prelude {
    pub use crate::cluster::{Cluster, ClusterMemory};
    pub use crate::grid::{Grid, GridMemory};
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use crate::memory::UnifiedBuffer;
    pub use crate::ownership::{
        Columns, Diagonal, Offset, Permuted, PlacedTiles, Reversed, Scattered, Segments, Transposed,
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use crate::texture::TextureBuffer;
    pub use crate::texture::{
        Address, Norm, Sampling, Surface1d, Surface2d, Surface3d, SurfaceLayered2d, Texture1d, Texture2d,
        Texture3d, TextureLayered2d,
    };
    pub use crate::views::EachFrom;
    pub use crate::warp::Warp;
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use crate::{
        AsMatrix, AsVolume, Buffer, Device, Event, InOut, Kernel, MatrixBuffer, Out, Stream, VolumeBuffer,
    };
    pub use crate::{
        Atomic, Group, GroupShape, KernelArg, LaunchConfig, Local, Matrix, Operator, PerGroup, PerThread,
        Private, Rows, Scope, Thread, Tiles, Volume, Workgroup, WorkgroupMut, foreign_kernels, gpu_kernel,
        gpu_println, host_only, instance, kernel_trait, operator, sync_threads,
    };
    pub use core::sync::atomic::Ordering;
    pub use gridwright_device::GetOr as _;
    pub use gridwright_device::math::{
        Arithmetic as _, ErrorFunction as _, Exponential as _, Gamma as _, Hyperbolic as _, Logarithm as _,
        Power as _, Remainder as _, Rounding as _, Trigonometry as _,
    };

    // What std's prelude has.
    #[cfg(all(feature = "alloc", any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use crate::heap::{Box, String, ToOwned, Vec, format, vec};
}

/// Paths that the macros write. Not for people: it changes with any version.
#[doc(hidden)]
pub mod __private {
    pub use bytemuck;
    // Not the user's: a crate may call another one `core`.
    pub use core;
    pub use gridwright_core::{
        Bounds, CLUSTER_BYTES, COLLECTIVE_BYTES, CpuCode, Digest, GenericKernel, GroupExtent, Image,
        ImageEntry, ImageKind, ImageParameter, Images, IndexWidth, Instance, KernelArg, Layout,
        MOST_ALIGNMENT, MOST_VALUE_BYTES, MatrixExtent, Operator, PanicText, Param, ParamList,
        PartitionLayout, Parts, Refused, SliceExtent, TextureExtent, VolumeExtent, field, has_chunk,
        has_word, is_spelled, partition_bytes, path_bytes, path_in_crate, requires,
    };
    pub use gridwright_derive::{
        KernelArg as KernelArgDerive, format as format_text, gpu_println, implement, instance, instance_of,
        kernel_trait, operator,
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use gridwright_device::arch::{
        Chunk, ClusterKernel, CpuEntry, FiberKernel, GridKernel, GroupKernel, GroupPlace, Raw, Shape,
        Signature, ThreadKernel, fibers, run_chunk, run_clusters, run_grid, run_groups, run_threads,
        with_cluster_parameters, with_fiber_parameters, with_grid_parameters, with_parameters,
    };
    #[cfg(all(feature = "alloc", any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use gridwright_device::arch::{Formatted, format};
    pub use gridwright_device::arch::{GroupShape, saturated};
    #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
    pub use gridwright_device::arch::{
        SurfaceArgument, TexelsArgument, ValueChunk, ValueWord, WholeValue, any_thread, atomic, chunk,
        cluster, end_of_cluster, grid, grid_memory, group, memory, memory_of_threads, own_matrix, own_parts,
        own_slice, own_volume, owner, per_group, per_group_matrix, per_group_placed, per_group_segments,
        per_group_tiles, read_matrix, read_segments, read_slice, read_volume, surface, texture, thread,
        thread_of_group, value, word,
    };
    pub use gridwright_device::{
        AnyBlock, ArrayElement, Atomic, Called, Cluster, ClusterMemory, FixedBlock, Grid, GridMemory, Group,
        Linear, Matrix, Memory, PerGroup, PerThread, PlacedTiles, Scattered, Segments, Surface, Surface1d,
        Surface2d, Surface3d, SurfaceLayered2d, Texture, Texture1d, Texture2d, Texture3d, TextureLayered2d,
        Thread, Threads, Volume, Workgroup, argument, print,
    };
    #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
    pub use gridwright_host::{Device, Error, Kernel, UnsafeKernel, load, load_unsafe};
}
