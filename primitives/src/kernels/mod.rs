//! The kernels, each generic over what it reads and what it does.

pub(crate) mod look_back;
pub(crate) mod maybe;
pub mod reduce;
pub mod scan;
pub(crate) mod tile;
