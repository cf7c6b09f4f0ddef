//! A GPU's thread: one call of the kernel's entry each.
//!
//! Arguments arrive as numbers and pointers only, since a pointer inside a struct costs NVIDIA the
//! knowledge that it is global, and AMD passes larger structs by pointer. [`arguments`] makes parameters of
//! them.

mod arguments;
mod async_copy;
mod atomics;
mod bulk_copy;
mod casts;
mod cluster;
pub(crate) mod collective;
mod compare;
mod entry;
mod first_element;
mod fragments;
mod grid;
mod group_context;
mod groups;
#[cfg(feature = "alloc")]
mod heap;
mod hinted;
mod identity;
mod in_place;
mod load;
mod meeting;
mod panic;
mod phase;
mod pointer;
mod print;
mod private_values;
mod record;
mod so_far;
mod sync;
#[cfg(feature = "alloc")]
mod text;
mod tile;
mod uniform;
pub(crate) mod warp;
mod warp_lanes;
mod warp_private_values;
mod warps;
mod words;

use core::mem::MaybeUninit;

pub use super::hardware::texture::{SurfaceArgument, Texels, TexelsArgument};
pub(crate) use super::hardware::texture::{fetch, sample, store};
pub use super::hardware::{ValueChunk, ValueWord, WholeValue};
pub(crate) use super::hardware::{breakpoint, clock, fence_of, nanoseconds, sleep, trap};
pub use arguments::{
    GivenChunk, GivenWord, atomic, chunk, memory, own_matrix, own_parts, own_slice, own_volume, per_group,
    per_group_matrix, per_group_placed, per_group_segments, per_group_tiles, read_matrix, read_segments,
    read_slice, read_volume, surface, texture, value, word,
};
pub(crate) use async_copy::{begin_load, begin_load_tile, wait_for_copies};
pub(crate) use atomics::{add_f32, add_f64, ordered, workgroup_atomic};
pub(crate) use bulk_copy::load_bulk;
pub use casts::saturated;
pub use cluster::{OfCluster, cluster, end_of_cluster};
pub(crate) use cluster::{own_part_of_cluster, part_of_cluster};
pub use entry::{Last, any_thread, owner, thread};
pub(crate) use first_element::FirstElement;
pub use fragments::{InRegisters, Multiply, SumInRegisters};
pub(crate) use fragments::{each_place, load_factor, map_places, map_sums, multiply_add};
pub(crate) use grid::unwritten;
pub use grid::{OfGrid, grid, grid_memory};
pub use group_context::{GroupContext, GroupShape};
pub use groups::{Hardware, group};
#[cfg(feature = "alloc")]
pub use heap::ALLOCATES;
pub(crate) use hinted::{load_hinted, store_hinted};
pub use identity::Identity;
pub use identity::LaunchId;
pub use in_place::{DeinterleavedPlace, DeinterleavedWords};
pub(crate) use in_place::{is_transposed, keep_new, keeps_new, store_new, transposed};
pub use load::Ahead;
pub(crate) use load::{fill, fill_with, load, load_tile, read_ahead};
pub use pointer::{Exclusive, Readable};
pub(crate) use pointer::{exclusive, exclusive_pointer, readable, readable_pointer};
pub(crate) use print::print;
pub use private_values::PrivateValues;
pub use record::RECORD;
pub(crate) use sync::sync_threads;
pub use sync::{memory_of_threads, thread_of_group};
#[cfg(feature = "alloc")]
pub use text::{Formatted, format};
pub use tile::Tiled;
pub use warp_private_values::WarpPrivateValues;
pub use warps::OfWarp;
pub(crate) use warps::{Lent, warp_size};

/// The index of an element of a matrix. On a GPU a matrix has fewer than 2³² rows and columns, which the
/// launcher checks: one multiplication of 32 bits rather than four.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row as u32 as usize * cols as u32 as usize + col
}

/// The index of an element of a matrix that lies inside it.
///
/// # Safety
/// The matrix has the element.
#[inline(always)]
pub(crate) unsafe fn element_inside(row: usize, cols: usize, col: usize) -> usize {
    element(row, cols, col)
}

/// The index of an element of a volume.
#[inline(always)]
pub(crate) fn element3(plane: usize, rows: usize, row: usize, cols: usize, col: usize) -> usize {
    (plane as u32 as usize * rows as u32 as usize + row) * cols as u32 as usize + col
}

/// The value at a pointer.
///
/// Sixteen bytes are read as two numbers: LLVM keeps an array of smaller ones, that is only copied, in local memory.
///
/// # Safety
/// As for `ptr::read`.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(at: *const T) -> T {
    if const { size_of::<T>() != 16 || align_of::<T>() < 8 } {
        // SAFETY: the pointer is aligned, and at a value that can be read, as this function asks.
        return unsafe { *at };
    }
    let mut value = MaybeUninit::<T>::uninit();
    let (from, to) = (at.cast::<MaybeUninit<u64>>(), value.as_mut_ptr().cast::<MaybeUninit<u64>>());
    // SAFETY: the pointer is at a value that can be read, as this function asks; both have sixteen bytes, and are aligned to eight.
    unsafe {
        to.write(from.read());
        to.add(1).write(from.add(1).read());
        value.assume_init()
    }
}
