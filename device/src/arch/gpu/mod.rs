//! A GPU's thread: one call of the kernel's entry each.
//!
//! Arguments arrive as numbers and pointers only, since a pointer inside a struct costs NVIDIA the
//! knowledge that it is global, and AMD passes larger structs by pointer. [`arguments`] makes parameters of
//! them.

mod arguments;
mod entry;
mod float;
mod identity;
mod panic;

pub use arguments::{by_words, own_matrix, own_slice, read_matrix, read_slice};
pub use entry::{Last, any_thread, thread};
pub use float::Float;
pub use identity::Identity;

/// Where an element of a matrix is. On a GPU a matrix has fewer than 2³² rows and columns, which the
/// launcher checks: one multiplication of 32 bits rather than four.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row as u32 as usize * cols as u32 as usize + col
}
