//! A HIP runtime without a device, and no runtime: two errors that a user has to be able to tell apart.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_HIP_RUNTIME` | the folder of a HIP runtime's library, which `cargo xtask test --step hip-runtime` unpacks; without it the tests of a runtime are skipped |
//!
//! A library is looked for when a program starts, so each test starts one. On a machine with an AMD GPU they say nothing.

#![allow(clippy::expect_used, reason = "also in the helpers")]

use std::io::{Write, stderr};
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

/// What AMD's kernel driver makes for programs: without it no runtime has a device.
const KERNEL_DRIVER: &str = "/dev/kfd";

/// An example on a device, with the libraries of a folder before those of the system.
fn run(device: &str, libraries: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vector_add"));
    command.env_remove("LD_LIBRARY_PATH").env_remove("ROCM_PATH").env("GRIDWRIGHT_DEVICE", device);
    if let Some(folder) = libraries {
        command.env("LD_LIBRARY_PATH", folder);
    }
    command.output().expect("the example starts")
}

/// The folder of the runtime, or a word about why nothing is checked.
fn runtime() -> Option<std::path::PathBuf> {
    let Some(folder) = env::var_os("GRIDWRIGHT_HIP_RUNTIME").filter(|folder| !folder.is_empty()) else {
        skip("GRIDWRIGHT_HIP_RUNTIME isn't set to a runtime's folder");
        return None;
    };
    if Path::new(KERNEL_DRIVER).exists() {
        skip("this machine may have an AMD GPU");
        return None;
    }
    let folder = std::path::PathBuf::from(folder);
    let has_one = |folder: &Path| {
        let names =
            fs::read_dir(folder).expect("the folder can be read").flatten().map(|file| file.file_name());
        names.into_iter().any(|name| name.to_string_lossy().starts_with("libamdhip64.so"))
    };
    assert!(has_one(&folder), "there is no libamdhip64.so in {}", folder.display());
    Some(folder)
}

/// Says that a test checked nothing. The harness hides what `eprintln!` says, but not this.
fn skip(why: &str) {
    let _ = writeln!(stderr(), "SKIPPED: no HIP runtime was started: {why}");
}

#[track_caller]
fn fails_with(output: &Output, texts: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && texts.iter().all(|text| said.contains(text)), "{said}");
}

#[test]
fn a_runtime_without_a_device_says_that_there_is_none() {
    let Some(folder) = runtime() else { return };
    for device in ["hip:0", "hip:7"] {
        // `Error::NoDevice`, not `DriverMissing`.
        let output = run(device, Some(&folder));
        fails_with(&output, &[&format!("no device `{device}`"), "there is: cpu"]);
    }
}

#[test]
fn a_program_that_names_no_device_runs_on_the_cpu() {
    let Some(folder) = runtime() else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_vector_add"));
    command.env_remove("GRIDWRIGHT_DEVICE").env("LD_LIBRARY_PATH", &folder);
    // With another vendor's GPU here it may lack images, which is nothing of this test's.
    if Path::new("/dev/nvidiactl").exists() {
        return skip("this machine has an NVIDIA GPU");
    }
    let output = command.output().expect("the example starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn without_a_runtime_that_is_what_is_missing() {
    let output = run("hip:0", None);
    let said = String::from_utf8_lossy(&output.stderr);
    if Path::new(KERNEL_DRIVER).exists() || said.contains("no device `hip:0`") && has_library() {
        return skip("this machine has a runtime of its own");
    }
    // `Error::DriverMissing`.
    fails_with(&output, &["no HIP driver", "GRIDWRIGHT_DEVICE=cpu"]);
}

/// Whether the system finds a runtime by itself.
fn has_library() -> bool {
    ["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"].iter().any(|name| {
        let in_rocm = Path::new("/opt/rocm/lib").join(name);
        // SAFETY: loading the runtime's library runs its initialisers, as any program that uses it does.
        in_rocm.exists() || unsafe { libloading::Library::new(*name) }.is_ok()
    })
}
