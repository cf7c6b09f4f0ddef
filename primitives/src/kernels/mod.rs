//! The kernels, each generic over what it reads and what it does.

pub mod reduce;
