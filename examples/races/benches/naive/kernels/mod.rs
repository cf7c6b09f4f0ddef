//! The kernels: nothing is tuned, and few say what their launches need. One file for each kind.

pub(crate) mod bytes;
pub(crate) mod grids;
pub(crate) mod indices;
pub(crate) mod loops;
pub(crate) mod structs;
