//! The emulator's process.

use std::path::Path;
use std::time::Duration;

use gridwright_amd_emulator_client::{Options, Server, setting};
use serde_json::Value;

use crate::memory;

/// How long a launch may take: the first one compiles what it emulates, on a machine that may have other things to do.
const PATIENCE: Duration = Duration::from_secs(300);

/// Starts it.
///
/// # Panics
/// If something that it needs is missing, with the command that gets it.
pub(crate) fn start(script: &Path, memory: &Path) -> Server {
    let options = Options {
        script,
        python: &setting::python(),
        memory,
        address: memory::ADDRESS,
        bytes: memory::BYTES,
        is_guarded: false,
        // What it compiles and caches stays in cargo's folder.
        cache: &Path::new(env!("CARGO_TARGET_TMPDIR")).join("amd_emulator"),
        patience: PATIENCE,
    };
    Server::start(&options).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Runs a launch.
///
/// # Panics
/// If it fails or takes too long, with what the process says.
pub(crate) fn launch(server: &mut Server, request: &Value) {
    if let Err(failure) = server.ask(request) {
        panic!("{failure}");
    }
}
