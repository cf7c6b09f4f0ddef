//! Python with this library: NumPy on the CPU, and the CUDA array interface on whatever `libcuda.so.1` the loader finds.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_NUMPY` | a Python with NumPy 2.1 or newer, which `cargo xtask test --step cuda` installs; without it `python3` is tried, and where that has none the test of NumPy is skipped |
//! | `GRIDWRIGHT_REQUIRE_CUDA` | what is missing is a failure |

#![allow(clippy::expect_used, reason = "also in the helpers")]

use std::ffi::OsString;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use gridwright::Device;
// So that cargo builds the library before this.
use gridwright_interop as _;

/// The library as Python loads it, where cargo puts it beside the tests.
fn library() -> PathBuf {
    let test = env::current_exe().expect("the test has a path");
    let folder = test.parent().expect("it is in a folder");
    let name = format!("{}gridwright_interop{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let library = folder.join(name);
    assert!(fs::exists(&library).expect("the folder can be read"), "there is no {}", library.display());
    library
}

fn run(python: &OsString, script: &str, device: &str) -> Output {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python);
    command.arg(package.join("tests").join(script)).env("PYTHONPATH", package.join("python"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("GRIDWRIGHT_INTEROP", library()).env("GRIDWRIGHT_DEVICE", device);
    command.output().expect("Python starts")
}

fn passes(output: &Output) {
    let said = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

fn python() -> OsString {
    env::var_os("GRIDWRIGHT_NUMPY").unwrap_or_else(|| "python3".into())
}

/// Whether Python runs a statement.
fn can(statement: &str) -> bool {
    Command::new(python()).args(["-c", statement]).output().is_ok_and(|output| output.status.success())
}

/// Says that a test checked nothing, where that isn't a failure. The harness hides what `eprintln!` says, but not this.
fn skip(why: &str) {
    assert!(env::var_os("GRIDWRIGHT_REQUIRE_CUDA").is_none(), "{why}, and GRIDWRIGHT_REQUIRE_CUDA is set");
    let _ = writeln!(stderr(), "SKIPPED: {why}");
}

#[test]
fn numpy_and_kernels_share_memory() {
    if !can("import numpy; assert tuple(map(int, numpy.__version__.split('.')[:2])) >= (2, 1)") {
        return skip("there is no Python with NumPy 2.1 or newer");
    }
    passes(&run(&python(), "with_numpy.py", "cpu"));
    passes(&run(&python(), "../python/demo.py", "cpu"));
}

#[test]
fn the_driver_and_kernels_share_memory() {
    if let Err(error) = Device::cuda(0) {
        return skip(&error.to_string());
    }
    if !can("import ctypes") {
        return skip("there is no Python");
    }
    passes(&run(&python(), "cuda.py", "cuda:0"));
}
