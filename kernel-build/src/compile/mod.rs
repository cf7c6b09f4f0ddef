//! Stage 5, *compile*: runs planned builds → raw images, or what went wrong and whose fault it is.

mod command;
mod dep_info;
mod messages;
mod stamp;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::write_if_changed;
use crate::plan::{Build, DevicePackage, Invocation};
use messages::Messages;
use stamp::{Change, Stamp};

/// What one build left behind.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The image as the compiler wrote it.
    pub(crate) image: Vec<u8>,
    /// The LLVM IR of the whole program after optimisation.
    pub(crate) ir: String,
}

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The user's code, or one of its dependencies, doesn't compile for the device: the compiler's
    /// own words.
    Code(String),
    /// Something around it: no network, no disk, a broken toolchain.
    Machine(String),
}

/// The result of a build, and the files that it depends on.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) result: Result<Compiled, Failure>,
    pub(crate) watch: BTreeSet<PathBuf>,
}

/// Writes a device package's files.
pub(crate) fn write(package: &DevicePackage) -> Result<(), Failure> {
    let manifest = package.folder.join("Cargo.toml");
    write_if_changed(&manifest, package.manifest.as_bytes()).map_err(|e| cannot("write", &manifest, &e))?;
    if let Ok(lock) = fs::read(&package.lock) {
        // The inner cargo changes its copy, so a second one tells whether the user's has changed.
        let seen = package.folder.join("user.lock");
        let copy = package.folder.join("Cargo.lock");
        if write_if_changed(&seen, &lock).map_err(|e| cannot("write", &seen, &e))? || !copy.exists() {
            write_if_changed(&copy, &lock).map_err(|e| cannot("write", &copy, &e))?;
        }
    }
    Ok(())
}

/// Runs one build, or as much of it as the last one's stamp says is needed. `library` is where the compiler's
/// own sources lie: they are not watched.
pub(crate) fn run(build: &Build, package: &DevicePackage, library: &Path) -> Outcome {
    let stamp = match Stamp::read(build, package) {
        Some((stamp, Change::None)) => Some(stamp),
        earlier => {
            stamp::remove(build);
            earlier.and_then(|(stamp, _)| again(build, package, stamp))
        }
    };
    match stamp {
        Some(stamp) => {
            Outcome { result: read(build), watch: stamp.linked().chain(stamp.own.clone()).collect() }
        }
        None => with_cargo(build, package, library),
    }
}

/// Compiles the image's crate by the command of an earlier build. Whatever goes wrong, cargo says it better.
fn again(build: &Build, package: &DevicePackage, mut stamp: Stamp) -> Option<Stamp> {
    let started = SystemTime::now();
    let invocation = command::invocation(stamp.command(), build, package)?;
    let output = invocation.command().output().ok()?;
    if !output.status.success() {
        return None;
    }
    stamp.own = dep_info::of_image(build)?;
    stamp.write(build, started);
    Some(stamp)
}

/// Builds the image and what it is linked with, as far as cargo doesn't find that done.
fn with_cargo(build: &Build, package: &DevicePackage, library: &Path) -> Outcome {
    let started = SystemTime::now();
    let (messages, succeeded, errors) = match attempts(&build.invocation) {
        Ok(attempt) => attempt,
        Err(e) => {
            let failure = cannot("run", &build.invocation.program, &e);
            return Outcome { result: Err(failure), watch: BTreeSet::new() };
        }
    };
    let mut watch = dep_info::of_linked(&messages, build, library);
    let result = if succeeded {
        if let Some(own) = dep_info::of_image(build) {
            let command = command::find(&errors, build).unwrap_or_default();
            if let Some(stamp) = Stamp::new(build, package, &watch, own.clone(), command, started) {
                stamp.write(build, started);
            }
            watch.extend(own);
        }
        read(build)
    } else {
        watch.extend(dep_info::of_failed(&messages, library));
        Err(messages.errors().map_or_else(|| Failure::Machine(one_line(&errors)), Failure::Code))
    };
    Outcome { result, watch }
}

/// Without the network first: with it, cargo may ask the registry even when nothing has changed.
/// A run that got as far as the compiler is not repeated.
fn attempts(invocation: &Invocation) -> io::Result<(Messages, bool, String)> {
    let attempt = |invocation: &Invocation| {
        let output = invocation.command().output()?;
        let messages = Messages::read(&output.stdout);
        Ok((messages, output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let offline: (Messages, bool, String) = attempt(&invocation.offline())?;
    if offline.1 || offline.0.reached_compiler() {
        return Ok(offline);
    }
    attempt(invocation)
}

fn read(build: &Build) -> Result<Compiled, Failure> {
    let image = fs::read(&build.raw_image).map_err(|e| cannot("read", &build.raw_image, &e))?;
    let ir = fs::read(&build.raw_ir).map_err(|e| cannot("read", &build.raw_ir, &e))?;
    Ok(Compiled { image, ir: String::from_utf8_lossy(&ir).into_owned() })
}

/// A failure of the machine with a file, in one form.
pub(crate) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Machine(format!("could not {what} {}: {error}", path.display()))
}

/// Cargo's words on one line, as its warnings have no more, without what it did before the error.
fn one_line(errors: &str) -> String {
    let lines: Vec<_> = errors.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let first = lines.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    lines[first..].join("; ")
}
