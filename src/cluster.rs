//! Clusters: workgroups that run together and read each other's memory.
//!
//! | to | see |
//! |---|---|
//! | work as a cluster | [`Cluster`] |
//! | share memory between its groups | [`ClusterMemory`] |
//! | hand it out to groups | [`ClusterItems`]; a step reads [`ClusterParts`] and updates [`ClusterAtomics`] |
//!
//! [`LaunchConfig::cluster`](crate::LaunchConfig::cluster) says how many groups a cluster has.
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// Each group leaves its number, and reads those of its cluster.
//! #[gpu_kernel(block = 32)]
//! fn numbers(cluster: &Cluster, mut out: PerGroup<[u32]>, mut number: ClusterMemory<[u32; 1]>) {
//!     cluster.each_group(&mut number, |g, mut number| g.fill(&mut number, g.index() as u32));
//!     cluster.each_group((&number, &mut out), |g, (numbers, mut out)| {
//!         let sum = (0..numbers.groups()).map(|rank| numbers.of(rank)[0]).sum();
//!         out.set(g, sum);
//!     });
//! }
//! ```

pub use gridwright_device::{Cluster, ClusterAtomics, ClusterItems, ClusterMemory, ClusterParts};
