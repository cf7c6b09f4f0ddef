//! What the emulated [CUDA driver](../../emulated-cuda/src/lib.rs) and the emulated [HIP runtime](../../emulated-hip/src/lib.rs) have in
//! common. Each of the two is a library of its own, which exports its API's functions and says what only it has: by a trait for each
//! subject, from [`Vendor`](context::Vendor) on.

#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "no public interface: the libraries beside it use it, and nobody else"
)]

pub mod abi;
pub mod answer;
pub mod arguments;
pub mod callback;
pub mod capture;
pub mod context;
pub mod delay;
pub mod error;
pub mod event;
pub mod fault;
pub mod fill;
pub mod graph;
pub mod graph_exec;
pub mod ids;
pub mod locks;
pub mod pool;
pub mod queue;
pub mod registry;
pub mod shared_event;
pub mod shared_memory;
pub mod stream;
pub mod variables;
