//! Runs compiled PTX on the CPU, instruction by instruction, and checks what it does.
//!
//! A [`Module`] is PTX that was parsed and decoded. A [`Device`] has memory, loads modules and launches their kernels: groups
//! are shared out over host threads, warps of 32 lanes run in lockstep and reconverge. Faults end a launch, as on a
//! GPU; races, uninitialised reads and divergent barriers are reported as [`Finding`]s.
//!
//! ```
//! use gridwright_emulator::{Device, Launch, Module};
//!
//! // One thread an element: x[i] += 1.
//! let module = Module::parse(
//!     ".version 7.0
//!      .target sm_80
//!      .address_size 64
//!      .visible .entry increment(.param .u64 x)
//!      {
//!          .reg .b32 %r<3>;
//!          .reg .b64 %rd<4>;
//!          ld.param.u64 %rd1, [x];
//!          mov.u32 %r1, %tid.x;
//!          mul.wide.u32 %rd2, %r1, 4;
//!          add.s64 %rd3, %rd1, %rd2;
//!          ld.global.u32 %r2, [%rd3];
//!          add.u32 %r2, %r2, 1;
//!          st.global.u32 [%rd3], %r2;
//!          ret;
//!      }",
//! )?;
//! let device = Device::new();
//! let x = device.alloc(64 * 4)?;
//! device.fill(x, &7_u32.to_le_bytes(), 64)?;
//!
//! let loaded = device.load(&module)?;
//! let parameters = x.to_le_bytes();
//! let report = device.launch(&loaded, "increment", &Launch::new([1, 1, 1], [64, 1, 1], &parameters))?;
//! assert!(report.findings.is_empty());
//! assert_eq!(report.thread_instructions, 64 * 8);
//!
//! let mut bytes = [0; 4];
//! device.read(x + 63 * 4, &mut bytes)?;
//! assert_eq!(u32::from_le_bytes(bytes), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What ends a launch
//!
//! Accesses out of bounds, misaligned or to freed memory, writes to constants, `trap`, failed assertions, illegal calls, deadlocks
//! and the limits of instructions and local memory. These are always checked, since the emulator's own safety
//! rests on them. [`Checks`] switches the others on and off.
//!
//! # What the check of races knows
//!
//! Two accesses to the same bytes race if they come from different threads, at least one writes, not both are atomic (or volatile, or
//! of a relaxed or stronger form), and nothing orders them. What orders them is PTX's causality order, over any number of threads:
//!
//! - Barriers of the group, of all threads or of a part; `bar.warp.sync` between its members; barriers of the cluster; `mbarrier`.
//! - Releases: `st.release` and its like, or a fence and then an atomic or a strong store. They order what is before the release or the
//!   fence, and the write itself, before what a thread does behind an atomic or a strong load that reads the write, or an atomic in a
//!   chain behind it. Scopes count: those of `.cta` order threads of a group, those of `.cluster` threads of a cluster.
//!
//! In two things it asks for less than the document: a fence needn't stand behind a relaxed load, and what threads fence for the device in
//! front of a barrier, one of them may release behind it, as programs with `__threadfence()` do. `fence.sc` orders as
//! `fence.acq_rel` does. A shuffle or a vote doesn't order memory, and neither does a thread's exit.
//!
//! A finding needs the two accesses to happen in this run; two readers of each word are remembered, so that a third one's race can be missed.
//!
//! # What the check of divisions knows
//!
//! An integer division by zero gives a number that nothing is known of, and compilers compute some that nobody uses: they take
//! guarded divisions out of their guards. So it is a finding only where the quotient or the remainder is used: what is computed of
//! it decides a branch, a vote or whether an instruction with an effect is executed, or it is an address, is written to device
//! memory, or is taken by an atomic operation. Registers, a thread's own memory, workgroup memory and shuffles hand it on. The finding names the
//! division, and the thread that used its result. That it is printed, or copied in bulk, isn't found.
//!
//! # What the check of unwritten memory knows
//!
//! That a load reads bytes of workgroup or device memory that nothing wrote is no finding, as padding is copied with what it is beside.
//! It is one where their value matters: where what is computed of them is used as the check of divisions says, or is stored to device
//! memory. Copies may be moved, shifted by bytes, chosen, shuffled and stored: what they are stored to counts as never written. A thread's
//! store to device memory that has nothing but such bytes is a finding, because the host may read it. The finding
//! names the load, and the thread that used its result. Atomic operations, loads of matrices and bulk copies find unwritten bytes at
//! once. A thread's own memory isn't checked, but hands them on.
//!
//! # Asynchronous copies
//!
//! `cp.async` reads its source at once and writes its target when the thread waits for it. Between the two the target counts as
//! never written, and both are writes to the check of races: a wait that is missing is found where the target is read.
//!
//! `cp.async.bulk` to workgroup memory does so too, of plain memory and of tensors ([`TensorMap`]). Its bytes come, all at once, when
//! the `mbarrier` that counts them is tested for the second time: the first test says no. Who saw the phase complete is ordered behind
//! what came, and behind what those did before who arrived. A group that ends before the bytes come is a finding. That fences between
//! proxies are there isn't checked. Copies out of workgroup memory are done when they are begun. Copies from another group of the
//! cluster are in no check of races.
//!
//! `wgmma.mma_async` reads workgroup memory at once too, and a warp's registers have the sums when it has waited for them.
//!
//! # Clusters
//!
//! The groups of a cluster run in turn on one host thread. An access to workgroup memory and one by another group of the cluster race
//! unless something orders them, as a barrier of the cluster does. What is between a lane's arrival there and its wait is ordered with
//! nothing. Memory of a group that has ended can't be reached. An arrival at another group's `mbarrier` is taken in when that group looks at
//! its barriers next.
//!
//! # Textures and surfaces
//!
//! Texels are in arrays, with levels of detail or without, or in memory. Kernels know them by numbers of 64 bits, or by references
//! of the module. Filters aren't anisotropic: gradients choose the level at which a texel is as long as the longer side of a pixel.
//! Coordinates that are integers aren't filtered, and beyond the edges they read what the address mode says. All texels are resident.
//! Races between accesses to texels aren't found, nor reads of texels that nothing wrote.
//!
//! # What it counts
//!
//! With [`Launch::count_lines`] a report has [`Counts`] for each line of the PTX that was executed: instructions, sectors of device
//! memory, passes over the banks of workgroup memory, accesses to local memory. They are numbers of the PTX: a GPU's compiler may
//! merge instructions, and keep in registers what PTX has in local memory.
//!
//! # What it leaves out
//!
//! Textures of depths, which coordinates are compared with, tiles that are no rectangles, `multimem`, `alloca` and atomics of 128 bits. What is left out on purpose is one list, `left_out.rs`: the errors of
//! [`Module::parse`] give its reasons. What a driver says in
//! `%envreg`s is zero, but for the address of the grid's workspace ([`Launch::workspace`]), which CUDA's `grid.sync()`
//! reads. Approximations are computed more exactly than a GPU does, or with the largest errors that are documented
//! ([`Approximations`]), and sums of `mma` are rounded once where tensor cores cut each. Timing isn't modelled: `%clock` counts
//! instructions.
//!
//! Lanes that meet in an operation of the warp have to come there through the same calls; those that come from two calls of one
//! function wait for each other without end, which is reported as a deadlock. Lanes beyond the block in its last warp never were:
//! members may name them, and a shuffle from one gives the lane's own value.

#![forbid(clippy::unwrap_used, clippy::expect_used)]

mod checks;
mod device;
mod execute;
mod instruction;
mod left_out;
mod machine;
mod memory;
mod module;
mod parse;
mod report;
mod tensor_map;
mod texture;

pub use checks::Checks;
pub use device::{Device, DeviceOptions, Launch, Loaded};
pub use machine::Approximations;
pub use module::{Entry, Module, Parameter, Registers};
pub use parse::ParseError;
pub use report::{
    Allocation, Counts, Finding, FindingKind, LaunchError, LoadError, MemoryAccess, MemoryError, Party,
    Print, Report, SourceLocation, Space,
};
pub use tensor_map::{Swizzle, TENSOR_MAP_BYTES, TensorElement, TensorMap};
pub use texture::{
    AddressMode, Array, ArrayKind, ArrayShape, MipmapSampler, MipmappedArray, ReferenceKind, Sampler,
    TexelFormat, TexelKind, TextureSource, TextureView,
};
