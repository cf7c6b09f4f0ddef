//! NCCL's functions between processes with emulated CUDA devices: a `libnccl.so.2` with which unmodified programs run without a GPU.
//!
//! A call on a stream is three operations of the driver's: a copy to the host, a host function that exchanges bytes with the other
//! ranks, and a copy back. So a call is in stream order as the driver has it, and a wait which is missing shows. Ranks are
//! processes of one machine, or threads of one process. They talk by Unix sockets, each with each.
//!
//! # How it is found
//!
//! `cargo build -p gridwright-emulated-nccl` makes `libgridwright_emulated_nccl.so`. Copied into a folder as `libnccl.so.2`, with that
//! folder in `LD_LIBRARY_PATH`, it is the machine's NCCL for what is started so. It takes the `libcuda.so.1` that the process has
//! loaded: the emulated driver of `gridwright-emulated-cuda`.
//!
//! # Variables
//!
//! | variable | says | default |
//! |---|---|---|
//! | `GRIDWRIGHT_EMULATOR_NCCL_PATIENCE_MS` | milliseconds that a rank waits for another | 20000 |
//!
//! # What differs from NVIDIA's library
//!
//! - A rank that is missing is `ncclSystemError` after that time, at once or as the asynchronous error. NVIDIA's waits for ever.
//! - A rank that is gone is `ncclRemoteError` where another needs it. NVIDIA's sees it between machines alone.
//! - Ranks that call different things get `ncclInvalidUsage` as the asynchronous error, where bytes meet. NVIDIA's may hang.
//! - After an error the bytes of a result are all ones, which is no number as a float, and each later call answers that error.
//! - Buffers are checked as with `NCCL_CHECK_POINTERS=1`, and must be of devices: no memory of the host.
//! - Two ranks on the device of one number are two ranks on one device, of whatever process.
//! - Missing: configurations, splits, non-blocking communicators, operators of programs, windows, capture. FP8 is moved, not reduced.
//! - Wrong handles are always recognised; NVIDIA's library may crash.

#![cfg(target_os = "linux")]

use gridwright_emulated_driver::locks;

#[macro_use]
mod export;

mod abi;
mod answer;
mod calls;
mod communicator;
mod cuda;
mod error;
mod exchange;
mod group;
mod inbox;
mod launch;
mod lifetime;
mod mesh;
mod number;
mod operation;
mod registry;
mod rendezvous;
mod settings;
