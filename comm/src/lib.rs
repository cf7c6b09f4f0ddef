//! Programs of several processes, on one machine or many, each with a device of its own.
//!
//! A program is started several times, by `mpirun` or another launcher. Each process is a *rank*. A [`World`] is all ranks; a
//! [`Communicator`] is their devices, and what they tell each other. Its calls are in the order of a stream, as launches are, and borrow
//! their buffers, so that nobody has to wait before or after them.
//!
//! ```
//! use gridwright::prelude::*;
//! use gridwright_comm::{ReduceOp, World};
//!
//! # fn main() -> Result<(), gridwright_comm::Error> {
//! let world = World::from_env()?;
//! let device = world.device()?;
//! let communicator = world.communicator(&device)?;
//! let stream = device.stream()?;
//!
//! let mine = stream.upload(&[1.0_f32, world.rank() as f32])?;
//! let mut sums = stream.alloc_zeroed::<f32>(2)?;
//! communicator.all_reduce(&stream, &mine, &mut sums, ReduceOp::Sum)?;
//!
//! let sums = stream.download(&sums)?;
//! assert_eq!(sums[0], world.size() as f32);
//! # Ok(())
//! # }
//! ```
//!
//! As it stands it runs with one rank. With four:
//!
//! ```text
//! mpirun -n 4 target/release/program
//! ```
//!
//! # Engines
//!
//! What moves bytes are libraries that exist. They are loaded when a communicator is made; a program needs none of them to be built.
//!
//! | engine | of devices | is there if |
//! |---|---|---|
//! | none | any, in a world of one rank | always |
//! | MPI (Open MPI) | the CPU; GPUs, by way of the host's memory | the program was started by `mpirun` |
//! | NCCL | NVIDIA GPUs, one each rank | `libnccl.so.2` is found |
//! | RCCL | AMD GPUs, one each rank | `librccl.so.1` is found |
//!
//! # Divided arrays
//!
//! A [`Distributed`] array is divided among the ranks by a [`Partition`]. Each rank's part is ordinary memory, with a halo that
//! [`exchange`](Distributed::exchange) fills with the neighbours' elements.
//!
//! # Mistakes
//!
//! Ranks that call different things are a mistake that the libraries don't see: they hang, or give garbage. In debug builds, and where
//! `GRIDWRIGHT_COMM_CHECKS=1` asks for it, ranks compare what they call before they do it. A difference is [`Error::Mismatch`] on every rank, a rank that
//! doesn't come is [`Error::Missing`], and one that ended is [`Error::Died`].
//!
//! What MPI has begun can't be given up. Where a rank ends in the middle of it, or without checks, the others' processes end within seconds, with a
//! message that names the rank.

#![forbid(clippy::unwrap_used, clippy::expect_used)]

mod call;
mod communicator;
mod control;
mod distributed;
mod element;
mod engine;
mod error;
mod launcher;
mod sentinel;
mod settings;
mod world;

pub use communicator::{Communicator, Messages};
pub use distributed::{Axes, Distributed, Local, Part, Partition, PartitionError, Parts, Shape};
pub use element::{ReduceOp, Reducible};
pub use engine::EngineKind;
pub use error::Error;
pub use world::World;
