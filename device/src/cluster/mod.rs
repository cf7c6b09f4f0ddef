//! Memory of the groups of a cluster that all of them read, and what steps are given of it.

mod items;
mod memory;

pub use items::{ClusterItems, ClusterPlace};
pub use memory::{ClusterAtomics, ClusterMemory, ClusterParts};
