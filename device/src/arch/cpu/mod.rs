//! The CPU: a kernel's threads as loops that the compiler turns into SIMD code.
//!
//! A worker thread takes a [`Chunk`] of the launch. [`run_chunk`] splits it into the part where all indices are
//! known to be inside ([`Interior`]) and the strips around it, and picks an instruction set. Under it,
//! [`run_threads`] calls one loop function for each number of parameters and each instruction set, into which
//! the kernel's body is inlined.
//!
//! Why it is written like this, with measurements: each parameter is a function argument of its own and at most
//! one reference, because only then does LLVM know that it aliases nothing; shape, instruction set and known facts
//! are one type, so that each copy of a body has one call site and is inlined. Memory that threads own is handed
//! to a worker as the window that its chunk owns.

mod chunk;
mod identity;
mod isa;
mod lanes;
mod panicked;
mod rect;
mod run;
mod shape;
mod signature;
mod view;

#[cfg(test)]
mod tests;

pub use chunk::{Chunk, Launch};
pub use identity::Identity;
pub use isa::Isa;
pub use lanes::{ThreadParams, Views, run_threads};
pub use panicked::{Position, take_panicked};
pub use rect::{Rect, Strips};
pub use run::{Entry, run_chunk};
pub use shape::{Band, Facts, Interior, Line, Shape};
pub use signature::{Raw, Signature};
pub use view::View;

/// Where an element of a matrix is.
#[inline(always)]
pub(crate) fn element(row: usize, cols: usize, col: usize) -> usize {
    row * cols + col
}
