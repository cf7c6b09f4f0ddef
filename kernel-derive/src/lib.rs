//! Gridwright's macros. The facade, `gridwright`, re-exports them; its documentation has the
//! examples, which this crate can't compile.
//!
//! A macro goes through the same stages each time: `parse` turns tokens into syntax, `validate`
//! turns syntax into the `model` and puts every error it meets into one `report`, and `expand`,
//! which can't fail, writes the code. With an error in the report, `expand` writes a stub, so that
//! the callers of a broken kernel don't report errors of their own.

#![forbid(clippy::unwrap_used, clippy::expect_used)]

mod expand;
mod messages;
mod model;
mod parse;
mod report;
mod requires;
mod text;
mod validate;

use proc_macro::TokenStream;

/// Turns a function into a kernel: a type of the function's name, with `load`.
///
/// The first parameter is the thread, `t: Thread`, whose code the body then is, or the workgroup, `g: &Group`.
/// The others are values (`f32`, `u32`, a `#[derive(KernelArg)]` struct), data that every thread reads (`&[T]`,
/// `&Matrix<T>`, `&Volume<T>`), data that threads write, each its own element (`PerThread<[T]>`), and data that
/// all update (`Atomic<[T]>`). A group's kernel also takes data of which each group writes its own
/// (`PerGroup<[T]>`) and memory of the group: `Workgroup<[T; N]>`, or `Workgroup<[T]>`, whose size the launch gives.
///
/// `cluster: &Cluster` is a third first parameter, for code of workgroups that run together and read each other's memory, which is
/// a `ClusterMemory` there, and `grid: &Grid` a fourth, for code of all threads of the launch.
///
/// An `unsafe fn` is a kernel whose `launch` is unsafe, because it asks something of its callers. Where the first parameter is a group, a cluster or a
/// grid, it is written as a safe kernel. Where it is the thread, it is for code that is ported from CUDA line by line: it may
/// take raw pointers and workgroup memory, and its threads wait for each other with `sync_threads`. There are whole
/// groups of them, so that the kernel tests itself which are beyond its data.
///
/// The attribute takes:
///
/// - `requires = x.len() == y.len()`: what must hold at each launch; the launch is refused where it
///   doesn't;
/// - `instances(f32, f64)`, or `instances((f32, 4), (f64, 8))` for several generic parameters: which
///   kernels a generic function stands for;
/// - `block = 256`, `block = (16, 16)` or `block = (8, 8, 4)`: the threads of each workgroup, which the compiler
///   then knows;
/// - `max_threads = 512`: the most threads that a workgroup is launched with; NVIDIA's compiler may then use more
///   registers for each;
/// - `min_groups = 2`: how many workgroups shall fit on a GPU's core at a time, of the threads that `block` or
///   `max_threads` says, else of 1024; NVIDIA's compiler uses fewer registers where it has to, and AMD's isn't told;
/// - `index = u64`: 64-bit thread indices, for launches of more than 2³² threads;
/// - `fp_contract = off`: a product and a sum of it stay two operations on every device, and so do those in the functions
///   that the kernel calls. Without it, or with `on`, they become one that rounds once on NVIDIA's GPUs, as nvcc has it;
/// - `cpu = off`: the kernel has no code for the CPU, where `load` is an error: for libraries that have other code there, and whose
///   users' programs are compiled in less time. Kernels of clusters and grids have code;
/// - `crate = path`: where `gridwright` is, if it isn't `::gridwright`.
///
/// # From CUDA
/// `__global__`. `max_threads` and `min_groups` are `__launch_bounds__`, `instances` are those of a template,
/// and `fp_contract = off` is `nvcc -fmad=false`, here for one kernel.
#[proc_macro_attribute]
pub fn gpu_kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::gpu_kernel(arguments.into(), item.into(), expand::next_number()).into()
}

/// Lets a struct be passed to a kernel, by value and as the element of a buffer.
///
/// The struct is `Copy`, `#[repr(C)]`, without generic parameters and without padding, and each of
/// its fields is itself a kernel argument. `Pod` and `Zeroable` are implemented along the way; if
/// the struct has them already, say so with `#[kernel_arg(pod)]`. `#[kernel_arg(crate = path)]`
/// names the `gridwright` crate if it isn't `::gridwright`.
///
/// # From CUDA
/// A struct that a `__global__` function takes by value, in a header that host and device code include.
#[proc_macro_derive(KernelArg, attributes(kernel_arg))]
pub fn kernel_arg(item: TokenStream) -> TokenStream {
    expand::derive_kernel_arg(item.into()).into()
}

/// Declares kernels that another compiler made, in PTX or in cubins: the ones of an `unsafe extern "C"` block.
///
/// ```text
/// #[foreign_kernels("kernels/saxpy.ptx")]
/// unsafe extern "C" {
///     /// y = a * x + y, for `n` elements.
///     fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);
/// }
/// ```
///
/// Each function becomes a type with `load`, which gives an `UnsafeKernel`: launched through the same tuple, config and
/// checks as one of ours, on the GPUs that the images are for. When the program is compiled the images are read, and the number and the sizes of the
/// declared parameters are compared with those of the image's entry.
///
/// - The paths start at the package's folder, or with `$OUT_DIR/` for what a build script made. Of several images each
///   kernel gets those that have it, and a device the newest that it can run, a cubin before PTX. AMD's code objects, of one
///   architecture each, take the feature `hip`; hipcc makes them with `--genco --no-gpu-bundle-output`.
/// - Parameters are values (numbers, arrays, `#[derive(KernelArg)]` structs, laid out as in C), `*const T` for memory
///   that the kernel reads and `*mut T` for what it writes. A `Workgroup<[T]>`, which may stand anywhere, is `extern __shared__`
///   memory: no parameter of the entry, but a size that each launch has to give.
/// - `#[link_name = "_Z5saxpyjfPKfPf"]` names the entry where its name isn't the function's: C++ mangles what isn't
///   `extern "C"`.
/// - Workgroups are whole, and grid and block are what the launch says.
///
/// Besides images it takes `crate = path`: where `gridwright` is, if it isn't `::gridwright`.
///
/// # From CUDA
/// `extern "C" __global__` functions, loaded by `cuModuleLoad` and `cuModuleGetFunction`.
/// Arguments have the declaration's types, rather than `void**`.
#[proc_macro_attribute]
pub fn foreign_kernels(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::foreign_kernels(arguments.into(), item.into()).into()
}

/// Leaves an item out of the device build: `main`, and whatever needs `std`.
///
/// It takes no arguments. On `mod name;`, a module in a file of its own, the compiler accepts no
/// attribute macro: write `#[cfg(not(gridwright_device))]` there.
///
/// # From CUDA
/// `#ifndef __CUDA_ARCH__`, or a function that is `__host__` alone.
#[proc_macro_attribute]
pub fn host_only(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::host_only(arguments.into(), &item.into()).into()
}

/// Writes out the turns of a loop, so that it is unrolled whatever the compiler thinks of it.
///
/// `unroll!(for i in 0..8 { … })` is eight copies of the body, each with its own number. Bounds are numbers, as the macro
/// sees no others. `unroll!(4; for i in a..b { … })` is a loop of four copies, and one behind it for what is left over; with bounds
/// that are constants the compiler knows what is left over.
///
/// `break` and `continue` do what they do in the loop. Inside other macros' arguments they aren't seen, and don't compile.
///
/// # From CUDA
/// `#pragma unroll`, and `#pragma unroll 4` for `unroll!(4; …)`.
#[proc_macro]
pub fn unroll(tokens: TokenStream) -> TokenStream {
    expand::unroll(tokens.into()).into()
}

/// An instance of a generic kernel, behind the facade's `instance!`, which puts its own path in front.
#[doc(hidden)]
#[proc_macro]
pub fn instance(tokens: TokenStream) -> TokenStream {
    expand::instance(tokens.into()).into()
}

/// The instance itself, of what the generic kernel's carrier hands on.
#[doc(hidden)]
#[proc_macro]
pub fn instance_of(tokens: TokenStream) -> TokenStream {
    expand::instance_of(tokens.into(), expand::next_number()).into()
}

/// The instances that a trait names, of what its carrier hands on.
#[doc(hidden)]
#[proc_macro]
pub fn implement(tokens: TokenStream) -> TokenStream {
    expand::implement(tokens.into()).into()
}

/// A trait of instances, behind the facade's `kernel_trait!`.
#[doc(hidden)]
#[proc_macro]
pub fn kernel_trait(tokens: TokenStream) -> TokenStream {
    expand::kernel_trait(tokens.into(), expand::next_number()).into()
}

/// An operator, behind the facade's `operator!`.
#[doc(hidden)]
#[proc_macro]
pub fn operator(tokens: TokenStream) -> TokenStream {
    expand::operator(tokens.into()).into()
}

/// A text made in a kernel, behind the facade's `format!`, which puts its own path before the arguments.
#[doc(hidden)]
#[proc_macro]
pub fn format(tokens: TokenStream) -> TokenStream {
    expand::format(tokens.into()).into()
}

/// A line to print, behind the facade's `gpu_println!`, which puts its own path before the arguments.
#[doc(hidden)]
#[proc_macro]
pub fn gpu_println(tokens: TokenStream) -> TokenStream {
    expand::print(tokens.into()).into()
}
