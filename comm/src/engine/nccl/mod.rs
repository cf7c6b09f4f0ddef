//! NCCL and RCCL, by a table of their functions that is loaded when the program runs. The two have one ABI.
//!
//! | module | what it holds |
//! |---|---|
//! | `abi` | the table, and what of `nccl.h` is numbers and structs |
//! | `library` | where the libraries are, and what a program hears where they aren't |

mod abi;
mod library;
