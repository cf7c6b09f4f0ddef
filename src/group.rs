//! What helper functions of group kernels name: shapes of workgroup memory, and what phases may use.
//!
//! | to | see |
//! |---|---|
//! | take workgroup memory, whatever it is a part of | [`GroupMemory`] |
//! | take it in any shape | [`Slots`], [`FixedSlots`], [`OneAxis`], [`ArrayElement`] |
//! | say what the closure of a phase may use | [`Uniform`]; [`InPhase`](crate::InPhase) is the closure |
//! | take a phase's thread | [`Repeatable`] |
//! | go over elements in blocks | [`Blocks`] |
//!
//! ```
//! use gridwright::group::GroupMemory;
//! use gridwright::prelude::*;
//!
//! /// Fills whatever workgroup memory there is.
//! fn clear<S: GroupShape>(g: &Group<'_, S>, memory: &mut impl GroupMemory<Element = f32>) {
//!     g.fill(memory, 0.0);
//! }
//! ```

pub use gridwright_core::Uniform;
pub use gridwright_device::{ArrayElement, Blocks, FixedSlots, GroupMemory, OneAxis, Repeatable, Slots};
