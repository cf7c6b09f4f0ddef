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

mod async_copy;
mod atomics;
mod casts;
mod cluster;
pub(crate) mod collective;
mod deinterleave;
mod fiber_view;
mod fibers;
mod first_element;
mod fragments;
mod grid;
mod grid_view;
mod group_context;
mod group_origin;
mod group_params;
mod group_shape;
mod group_view;
mod groups;
mod hinted;
mod identity;
mod isa;
mod lane_loops;
mod load;
mod nontemporal;
mod permute;
mod phase_loops;
mod pointer;
mod prefetch;
mod private_values;
mod route;
mod row_width;
mod run;
mod scratch;
mod shape;
mod signature;
mod texture;
mod texture_view;
mod thread_loops;
mod thread_order;
mod thread_pairs;
mod thread_view;
mod tile;
mod time;
mod transpose;
pub(crate) mod warp;
mod warp_private_values;
mod warps;
mod witness;

#[cfg(test)]
mod tests;

pub(crate) use async_copy::{begin_load, begin_load_tile, wait_for_copies};
pub(crate) use atomics::{add_f32, add_f64, ordered, workgroup_atomic};
pub use casts::saturated;
pub use cluster::{ClusterKernel, OfCluster, run_clusters, with_cluster_parameters};
pub(crate) use cluster::{own_part_of_cluster, part_of_cluster};
pub use deinterleave::{DeinterleavedPlace, DeinterleavedWords};
pub use fiber_view::{FiberParams, FiberView, FiberViews, with_fiber_parameters};
pub use fibers::fibers;
pub(crate) use fibers::sync_threads;
pub(crate) use first_element::FirstElement;
pub use fragments::{InRegisters, Multiply, SumInRegisters};
pub(crate) use fragments::{each_place, load_factor, map_places, map_sums, multiply_add};
pub(crate) use grid::unwritten;
pub use grid::{GridKernel, GridLanes, OfGrid, run_grid};
pub use grid_view::{
    ClusterParams, GridParams, GridView, GridViews, ParameterOfGrid, ParametersOfGrid, with_grid_parameters,
};
pub use gridwright_core::{Chunk, CpuEntry, Isa, LaunchSizes, Raw, Rect, Signature, Strips};
pub(crate) use gridwright_cpu::print;
pub use group_context::GroupContext;
pub use group_params::{GroupParams, GroupViews, with_parameters};
pub use group_shape::GroupShape;
pub use group_view::{GroupPlace, GroupView};
pub use groups::{Lanes, run_groups};
pub(crate) use hinted::{load_hinted, store_hinted};
pub use identity::Identity;
pub use identity::LaunchId;
pub(crate) use identity::Place;
pub(crate) use load::{fill, fill_with, load, load as load_bulk, load_tile};
pub(crate) use nontemporal::{keep_new, keeps_new, store_new};
pub use pointer::{Exclusive, Readable};
pub(crate) use pointer::{exclusive, exclusive_pointer, readable, readable_pointer};
pub use prefetch::Ahead;
pub(crate) use prefetch::read_ahead;
pub use private_values::PrivateValues;
pub use run::run_chunk;
pub use shape::{Band, Facts, Interior, Line, Shape};
pub use signature::{FiberKernel, GroupKernel, ThreadKernel};
pub use texture::Texels;
pub(crate) use texture::{fetch, sample, store};
pub use thread_loops::{ThreadParams, Views, run_threads};
pub use thread_view::{Anywhere, ThreadView};
pub use tile::Tiled;
pub(crate) use time::{breakpoint, clock, fence_of, nanoseconds, sleep, trap};
pub(crate) use transpose::{is_transposed, transposed};
pub use warp_private_values::WarpPrivateValues;
pub(crate) use warps::{Lent, warp_size};
pub use warps::{OfWarp, WarpBlock};

/// The index of an element of a matrix.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row * cols + col
}

/// The index of an element of a matrix, which is inside.
///
/// The optimiser takes such sums apart. That none of their parts overflows tells it that none is at null, which it would
/// test for, thread by thread, to tell `Some` from `None`.
///
/// # Safety
/// The matrix has the element.
#[inline(always)]
pub(crate) unsafe fn element_inside(row: usize, cols: usize, col: usize) -> usize {
    // SAFETY: there is memory up to the element, so its number is below 2⁶³, and so is that of its row's first.
    unsafe { row.unchecked_mul(cols).unchecked_add(col) }
}

/// The index of an element of a volume.
#[inline(always)]
pub(crate) fn element3(plane: usize, rows: usize, row: usize, cols: usize, col: usize) -> usize {
    (plane * rows + row) * cols + col
}

/// The value at a pointer.
///
/// # Safety
/// As for `ptr::read`.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(at: *const T) -> T {
    // SAFETY: the pointer is aligned, and at a value that may be read, as this function asks.
    unsafe { *at }
}
