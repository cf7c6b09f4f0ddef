//! Programs of several ranks, started by `mpirun`.
//!
//! A test starts this same file with a number of ranks, each of which runs one of the programs: tests that are ignored unless they are ranks.

#![allow(clippy::unwrap_used, reason = "also in the helpers")]

mod bad_input;
mod collectives;
mod distributed;
mod ends;
mod launch;
mod nccl;
mod parts;
mod random;
