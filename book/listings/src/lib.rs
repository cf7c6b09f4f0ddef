//! The listings of the book and the solutions of its exercises.
//!
//! They are in `tests/book`, a file a chapter, and each runs as a test, on the CPU: there is no build script here that would compile
//! them for GPUs too. A chapter includes parts of its file by the names in `ANCHOR` comments.
