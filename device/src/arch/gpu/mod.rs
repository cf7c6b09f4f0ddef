//! A GPU's thread: one call of the kernel's entry each.
//!
//! Arguments arrive as numbers and pointers only, since a pointer inside a struct costs NVIDIA the
//! knowledge that it is global, and AMD passes larger structs by pointer. [`arguments`] makes parameters of
//! them.

mod arguments;
mod atomics;
mod cells;
pub(crate) mod collective;
mod entry;
mod float;
mod identity;
mod load;
mod panic;
mod phase;
mod pointer;
mod print;
mod record;
mod sync;
mod team;
mod uniform;
pub(crate) mod warp;
mod warps;
mod words;

pub use arguments::{
    atomic, by_words, memory, own_matrix, own_slice, own_volume, per_group, per_group_matrix,
    per_group_tiles, read_matrix, read_slice, read_volume,
};
pub(crate) use atomics::{add_f32, add_f64, ordered, workgroup_atomic};
pub use cells::Cells;
pub use entry::{Last, any_thread, thread};
pub use float::Float;
pub use identity::Identity;
pub use identity::LaunchId;
pub(crate) use load::{fill, load, load_tile};
pub use pointer::{Exclusive, Readable};
pub(crate) use pointer::{exclusive, exclusive_pointer, readable, readable_pointer};
pub(crate) use print::print;
pub use record::RECORD;
pub(crate) use sync::sync_threads;
pub use sync::{memory_of_threads, thread_of_group};
pub use team::{GroupShape, Hardware, Team, group};
pub use uniform::Uniform;
pub use warps::OfWarp;
pub(crate) use warps::{Lent, warp_size};

/// Where an element of a matrix is. On a GPU a matrix has fewer than 2³² rows and columns, which the
/// launcher checks: one multiplication of 32 bits rather than four.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row as u32 as usize * cols as u32 as usize + col
}

/// Where an element of a volume is.
#[inline(always)]
pub(crate) fn element3(plane: usize, rows: usize, row: usize, cols: usize, col: usize) -> usize {
    (plane as u32 as usize * rows as u32 as usize + row) * cols as u32 as usize + col
}
