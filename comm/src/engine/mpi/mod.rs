//! Open MPI, by a table of its functions that is loaded when the program runs.
//!
//! | module | what it holds |
//! |---|---|
//! | `library` | the table, and the constants of Open MPI's ABI |
//! | `process` | MPI in this process: started once, ended with the world |
//! | `group` | a communicator: collectives and messages |
//!
//! The table takes the place of the `mpi` crate, which needs `mpicc` and libclang where a program is built, is built for one MPI, and
//! is a build that fails, instead of an error, where there is none.

mod group;
mod library;
mod process;

pub(crate) use process::Process;
