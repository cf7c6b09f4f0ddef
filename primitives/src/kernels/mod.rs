//! The kernels, each generic over what it reads and what it does.

pub mod radix;
pub mod reduce;
