//! An emulator of AMD's GPUs in a process of its own, which runs code objects in memory that this process shares with it.
//!
//! The emulator isn't part of this repository: [`setting`] says how it is named. The [`Server`] starts it by a script, `serve.py`,
//! that mends what is known to be wrong with it and adds what an emulated runtime needs, then sends requests and takes the answers.

#![forbid(clippy::unwrap_used, clippy::expect_used)]

mod server;
pub mod setting;

pub use server::{Failure, Options, Server};
