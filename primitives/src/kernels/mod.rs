//! The kernels, each generic over what it reads and what it does.

pub mod adjacent;
pub mod by_key;
pub(crate) mod look_back;
pub(crate) mod maybe;
pub mod reduce;
pub mod scan;
pub mod segments;
pub mod select;
pub(crate) mod tile;
