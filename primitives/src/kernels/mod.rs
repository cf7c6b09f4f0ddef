//! The kernels, each generic over what it reads and what it does. Users name the traits beside them, for instances of their own.

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
pub mod scan;
pub mod search;
pub mod segments;
pub mod select;
pub(crate) mod tile;
