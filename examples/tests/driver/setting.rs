use std::env;
use std::io::Write;
use std::process::Command;

use gridwright::Error;
use gridwright::prelude::*;

use crate::{REQUIRED, open};

pub(super) type Result<T = ()> = std::result::Result<T, Error>;

/// The first device; none, and the test says that it is skipped, where there isn't one.
pub(super) fn device() -> Option<Device> {
    nth(0)
}

/// The device of an index, as above.
pub(super) fn nth(index: usize) -> Option<Device> {
    match open(index) {
        Ok(device) => Some(device),
        Err(missing @ (Error::DriverMissing { .. } | Error::NoDevice { .. })) => {
            let is_required = env::var_os(REQUIRED).is_some_and(|value| value == "1");
            assert!(!is_required || index > 0, "{missing}");
            // Not `eprintln`, which the test harness keeps to itself.
            let _ = writeln!(std::io::stderr(), "SKIPPED: no device {index}: {missing}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Runs a test again, in a process of its own with `CHILD` set and other variables as given, and gives what it printed.
pub(super) fn child(test: &str, variables: &[(&str, &str)]) -> String {
    let program = env::current_exe().expect("the test's own path");
    let output = Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env("CHILD", "1")
        .envs(variables.iter().copied())
        .output()
        .expect("the test runs again");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// Runs a test again with settings of the emulated driver. On another driver, says that it is skipped.
pub(super) fn with_driver(device: &Device, test: &str, variables: &[(&str, &str)]) {
    if device.name().contains("Gridwright Emulated") {
        child(test, variables);
    } else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {test}: this driver has no settings");
    }
}

pub(super) fn is_child() -> bool {
    env::var_os("CHILD").is_some()
}
