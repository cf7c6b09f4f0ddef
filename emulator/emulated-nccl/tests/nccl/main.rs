//! Programs of several ranks on the library: each rank is a process of its own, with the emulated driver and this library in
//! `LD_LIBRARY_PATH`.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "functions that tests share fail as tests do")]

mod collectives;
mod functions;
mod gpu;
mod groups;
mod lifetime;
mod mistakes;
mod random;
mod ranks;
