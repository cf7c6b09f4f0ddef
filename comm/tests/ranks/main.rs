//! Programs of several ranks, started by `mpirun`.
//!
//! A test starts this same file with a number of ranks, each of which runs one of the programs: tests that are ignored unless they are ranks.

mod bad_input;
mod collectives;
mod ends;
mod launch;
mod parts;
mod random;
