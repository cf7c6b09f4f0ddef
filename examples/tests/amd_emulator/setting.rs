//! What the environment says: where the emulator is, and whether a missing image is a failure.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_AMD_EMULATOR` | the emulator's server, `amdgpu_serve.py`, or its folder; without it the tests are skipped |
//! | `GRIDWRIGHT_PYTHON` | the Python that runs it, with `tinygrad`; `python3` by default |
//! | `GRIDWRIGHT_REQUIRE_DEVICE` | a program that was built without the images fails |

use std::env;
use std::ffi::OsString;
use std::io::{Write, stderr};
use std::path::PathBuf;

/// The server's file, or nothing if there is none to run.
pub(crate) fn server() -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os("GRIDWRIGHT_AMD_EMULATOR").filter(|path| !path.is_empty())?);
    Some(if path.is_dir() { path.join("amdgpu_serve.py") } else { path })
}

/// The Python that runs the server.
pub(crate) fn python() -> OsString {
    env::var_os("GRIDWRIGHT_PYTHON").filter(|path| !path.is_empty()).unwrap_or_else(|| "python3".into())
}

/// Whether images have to be there; as the device build reads it.
pub(crate) fn requires_images() -> bool {
    env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Says that a test checked nothing. The harness hides what `eprintln!` says, but not this.
pub(crate) fn skip(kernel: &str, why: &str) {
    let _ = writeln!(stderr(), "SKIPPED: `{kernel}` wasn't run in the emulator of AMD's GPUs: {why}");
}
