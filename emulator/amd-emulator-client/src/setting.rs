//! What the environment says: where the emulator is, and what runs it.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_AMD_EMULATOR` | the emulator's server, `amdgpu_serve.py`, or its folder |
//! | `GRIDWRIGHT_PYTHON` | the Python that runs it, with `tinygrad`; `python3` by default |

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The server's file, or nothing if there is none to run.
#[must_use]
pub fn server() -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os("GRIDWRIGHT_AMD_EMULATOR").filter(|path| !path.is_empty())?);
    Some(if path.is_dir() { path.join("amdgpu_serve.py") } else { path })
}

/// The Python that runs the server.
#[must_use]
pub fn python() -> OsString {
    env::var_os("GRIDWRIGHT_PYTHON").filter(|path| !path.is_empty()).unwrap_or_else(|| "python3".into())
}
