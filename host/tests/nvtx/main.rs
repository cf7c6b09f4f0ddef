//! Ranges of profiles, as NVIDIA's tools see them: a library that stands in for a tool, and one for `libnvToolsExt`. The test
//! program runs itself again with them.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use gridwright::prelude::*;

/// Where the library writes what it is told.
const LOG: &str = "NVTX_STAND_IN_LOG";

const TOLD: &str = "push outer\npush inner\npop\npush ends here\npop\npop\n";

/// Compiles the library.
fn build(folder: &Path, name: &str) -> PathBuf {
    let library = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvtx/stand_in.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .args([&library, &source])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    library
}

/// What the library is told by a program with such a variable.
fn told(folder: &Path, variable: &str, value: &Path) -> String {
    let log = folder.join("log");
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "ranges", "--nocapture"])
        .env_remove("NVTX_INJECTION64_PATH")
        .env(LOG, &log)
        .env(variable, value)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(log).unwrap_or_default()
}

/// In the child the ranges; otherwise the same without anybody who wants to know.
#[test]
fn ranges() -> Result<(), gridwright::Error> {
    let ((), profile) = Device::cpu()?.profile(|p| {
        p.range("outer", || {
            p.range("inner", || ());
            // Also where it panics, and with a name that C can't have.
            let ends = || p.range("ends here\0not here", || panic!("on purpose"));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(ends)).is_err());
        });
        Ok(())
    })?;
    assert_eq!(profile.rows().len(), 3);
    Ok(())
}

#[test]
fn a_tool_that_wants_to_be_loaded_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let library = build(folder.path(), "libtool.so");
    assert_eq!(told(folder.path(), "NVTX_INJECTION64_PATH", &library), TOLD);
}

#[test]
fn the_library_of_older_toolkits_is_told() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "libnvToolsExt.so.1");
    assert_eq!(told(folder.path(), "LD_LIBRARY_PATH", folder.path()), TOLD);
}

#[test]
fn a_tool_that_is_not_there_is_nobody() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(told(folder.path(), "NVTX_INJECTION64_PATH", &folder.path().join("none.so")), "");
}
