//! NCCL and RCCL, by a table of their functions that is loaded when the program runs. The two have one ABI.
//!
//! | module | what it holds |
//! |---|---|
//! | `abi` | the table, and what of `nccl.h` is numbers and structs |
//! | `library` | where the libraries are, and what a program hears where they aren't |
//! | `group` | a communicator: collectives and messages |

mod abi;
mod group;
mod library;

pub(crate) use abi::reason;
pub(crate) use group::Group;
pub(crate) use library::{Library, Vendor};
