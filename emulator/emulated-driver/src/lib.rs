//! What the emulated [CUDA driver](../../emulated-cuda/src/lib.rs) and the emulated [HIP runtime](../../emulated-hip/src/lib.rs) have in
//! common. Each of the two is a library of its own, which exports its API's functions and says what only it has.

#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "no public interface: the libraries beside it use it, and nobody else"
)]

pub mod abi;
pub mod answer;
pub mod delay;
pub mod error;
pub mod fault;
pub mod locks;
pub mod queue;
pub mod registry;
pub mod variables;
