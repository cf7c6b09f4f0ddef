//! The runtime as a HIP program uses it: loaded by name. Each test runs in a process of its own. Those that run kernels need the
//! emulator of AMD's GPUs, and say so where they are skipped.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "functions that tests share fail as tests do")]

mod alone;
mod devices;
mod failures;
mod graphs;
mod hip;
mod launches;
mod memory;
mod modules;
mod settings;
mod streams;
