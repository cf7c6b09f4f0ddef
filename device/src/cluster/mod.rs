//! Clusters: code that workgroups run together, and memory of theirs that all of them read.

mod items;
mod level;
mod memory;

pub use items::{ClusterItems, ClusterPlace};
pub use level::Cluster;
pub use memory::{ClusterAtomics, ClusterMemory, ClusterParts};
