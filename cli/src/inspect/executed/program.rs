//! The program that launches the kernel, run on the emulator.

use std::ffi::OsStr;
use std::io;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use cargo_metadata::Package;
use gridwright_build::inspect::Target;

use super::super::{Options, built};
use crate::cargo::{self, Found};

/// The facade's name, and its feature with the emulator.
const FACADE: &str = "gridwright";
const FEATURE: &str = "emulator";

/// Builds and runs a program, and gives the counts of its launches. What it prints goes to standard error.
///
/// # Errors
/// Where it isn't clear which program is meant, or it doesn't build, or fails.
pub(super) fn counts(found: &Found, options: &Options) -> anyhow::Result<String> {
    let package = &found.package;
    let target = match options.target.target() {
        Some(target) => target,
        None => only_binary(package)?,
    };
    let folder = tempfile::tempdir().context("can't make a folder for counts")?;
    let file = folder.path().join("counts");
    let feature = feature(package)?;
    let (build, run): (&[&str], &str) = match target {
        Target::Bin(_) | Target::Example(_) => (&["build"], "run"),
        Target::Lib | Target::Test(_) => (&["test", "--no-run"], "test"),
        Target::Bench(_) => (&["bench", "--no-run"], "bench"),
    };
    let mut words = options.of_cargo(&package.name);
    // Benches are optimised, and cargo lets nobody say so.
    words.retain(|word| run != "bench" || *word != "--release");
    words.extend(["--features", &feature]);
    words.extend(target.arguments());
    let to_build: Vec<&OsStr> = build.iter().chain(&words).map(OsStr::new).collect();
    cargo::build(&to_build, &[], "compiling the program")?;
    let mut command = Command::new(cargo::program());
    command.args([run, "--quiet"]).args(&words).arg("--").args(&options.arguments);
    command.env("GRIDWRIGHT_DEVICE", "emulator").env("GRIDWRIGHT_EMULATOR_COUNTS", &file);
    let status = command.stdout(io::stderr()).status().context("can't start cargo")?;
    ensure!(status.success(), "{status}: the program failed on the emulator, so its counts aren't shown");
    match std::fs::read_to_string(&file) {
        // Without the emulator there is no file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| format!("can't read {}", file.display())),
    }
}

/// The package's only binary, or the one that `cargo run` runs.
fn only_binary(package: &Package) -> anyhow::Result<Target> {
    let targets: Vec<Target> = package.targets.iter().filter_map(built::of_package).collect();
    let is_default = |target: &&Target| match target {
        Target::Bin(name) => package.default_run.as_ref().is_none_or(|default| default == name),
        _ => false,
    };
    let mut binaries = targets.iter().filter(is_default);
    match (binaries.next(), binaries.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => {
            let names: Vec<String> = targets.iter().map(Target::to_string).collect();
            bail!("which program launches it? Say one of {}", names.join(", "))
        }
    }
}

/// What cargo calls the feature with the emulator.
fn feature(package: &Package) -> anyhow::Result<String> {
    if package.name == FACADE {
        return Ok(FEATURE.to_owned());
    }
    let facade = package.dependencies.iter().find(|dependency| dependency.name == FACADE);
    let facade = facade.with_context(|| {
        format!("`{}` doesn't depend on `{FACADE}`, whose feature `{FEATURE}` it needs", package.name)
    })?;
    Ok(format!("{}/{FEATURE}", facade.rename.as_deref().unwrap_or(FACADE)))
}
