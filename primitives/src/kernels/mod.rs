//! The kernels, each generic over what it reads and what it does. Users name the traits beside them, for instances of their own.
//!
//! They are launched by the methods of [`Primitives`](crate::Primitives): most are `unsafe fn`, as they trust lengths, counts and temporary memory,
//! which the methods look at.

// Items are in registers, which loops whose numbers are known address; and kernels take slices one by one.
#![allow(clippy::needless_range_loop, clippy::too_many_arguments, clippy::type_complexity)]

pub mod adjacent;
pub mod by_key;
pub mod collect;
pub mod histogram;
pub(crate) mod look_back;
pub(crate) mod maybe;
pub mod merge;
pub mod order;
pub(crate) mod places;
pub mod radix;
pub mod reduce;
pub mod rows;
pub mod run_totals;
pub mod scan;
pub mod scan_segments;
pub mod search;
pub mod segments;
pub mod select;
pub(crate) mod tile;
pub mod totals;
