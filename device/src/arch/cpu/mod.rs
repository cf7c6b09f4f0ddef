//! The CPU: a kernel's threads as loops that the compiler turns into SIMD code.
//!
//! A worker thread takes a [`Chunk`] of the launch. [`run_chunk`] splits it into the part where all indices are
//! known to be inside ([`Interior`]) and the strips around it, and picks an instruction set. Under it,
//! [`run_threads`] calls one loop function for each number of parameters and each instruction set, into which
//! the kernel's body is inlined.
//!
//! Why it is written like this, with measurements: each parameter is a function argument of its own and at most
//! one reference, because only then does LLVM know that it aliases nothing; shape, instruction set and known facts
//! are one type, so that each copy of a body has one call site and is inlined. Memory that threads own is handed
//! to a worker as the window that its chunk owns.

mod atomics;
mod cells;
mod chunk;
pub(crate) mod collective;
mod fiber_view;
// As in Cargo.toml.
#[cfg_attr(
    not(any(
        all(any(unix, windows), target_arch = "x86_64"),
        all(unix, any(target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64"))
    )),
    path = "no_fibers.rs"
)]
mod fibers;
mod group_view;
mod groups;
mod identity;
mod isa;
mod lanes;
mod load;
mod panicked;
mod phase;
mod pointer;
mod print;
mod rect;
mod run;
mod scratch;
mod shape;
mod signature;
mod team;
mod thread_view;
mod uniform;
pub(crate) mod warp;
mod warps;

#[cfg(test)]
mod tests;

pub(crate) use atomics::{add_f32, add_f64, ordered, workgroup_atomic};
pub use cells::Cells;
pub use chunk::{Chunk, Launch};
pub use fiber_view::{FiberParams, FiberView, FiberViews, with_fiber_parameters};
pub(crate) use fibers::sync_threads;
pub use fibers::{HAS_FIBERS, fibers};
pub use group_view::{GroupPlace, GroupView};
pub use groups::{GroupParams, GroupViews, GroupsEntry, run_groups, with_parameters};
pub use identity::Identity;
pub use identity::LaunchId;
pub(crate) use identity::Place;
pub use isa::Isa;
pub use lanes::{ThreadParams, Views, run_threads};
pub(crate) use load::{fill, load, load_tile};
pub use panicked::{Position, take_panicked};
pub use pointer::{Exclusive, Readable};
pub(crate) use pointer::{exclusive, exclusive_pointer, readable, readable_pointer};
pub use print::Lines;
pub(crate) use print::print;
pub use rect::{Rect, Strips};
pub use run::{Entry, run_chunk};
pub use shape::{Band, Facts, Interior, Line, Shape};
pub use signature::{Cpu, FiberKernel, GroupKernel, Raw, Signature, ThreadKernel};
pub use team::{GroupShape, Lanes, Team};
pub use thread_view::{Anywhere, ThreadView};
pub use uniform::Uniform;
pub(crate) use warps::{Lent, warp_size};
pub use warps::{OfWarp, WarpBlock};

/// Where an element of a matrix is.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row * cols + col
}

/// Where an element of a volume is.
#[inline(always)]
pub(crate) fn element3(plane: usize, rows: usize, row: usize, cols: usize, col: usize) -> usize {
    (plane * rows + row) * cols + col
}
