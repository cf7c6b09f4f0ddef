//! `cargo gridwright bench`: a package's benches. What they measure and print is their own.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use anyhow::Context;

use crate::cargo;

/// Compiles a package's benches and runs them: `cargo bench` with a word about how far it is.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Arguments that `cargo bench` takes, such as `--bench cpu -- --quick`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    _arguments: Vec<OsString>,
}

/// Runs the benches, and ends as they do.
///
/// # Errors
/// Where they don't compile, or cargo can't be started.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    // As they were typed: clap would take the `--` in front of the benches' own arguments for itself.
    let typed = std::env::args_os().skip_while(|argument| argument != "bench").skip(1);
    let arguments: Vec<OsString> = typed.collect();
    let of_cargo = arguments.iter().map(OsString::as_os_str).take_while(|argument| *argument != "--");
    let words: Vec<&OsStr> = ["bench", "--no-run"].map(OsStr::new).into_iter().chain(of_cargo).collect();
    cargo::build(&words, &[], "compiling the benches")?;
    let mut bench = Command::new(cargo::program());
    let status = bench.arg("bench").args(&arguments).status().context("can't start cargo")?;
    // A status above 255, or none after a signal, is a failure too.
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
