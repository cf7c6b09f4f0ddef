//! The kernels, each generic over what it reads and what it does. Users name the traits beside them, for instances of their own.

pub mod collect;
pub mod histogram;
pub mod merge;
pub mod order;
pub(crate) mod places;
pub mod radix;
pub mod reduce;
pub mod rows;
pub mod search;
