//! What a build leaves to tell the next one what has changed since. Cargo can't tell, as the image isn't
//! where it looks; and a package may have many targets, of which an edit touches one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::plan::{Build, DevicePackage};

/// What an image was made from, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// The sources of the image's crate.
    pub(super) own: BTreeSet<PathBuf>,
    /// Everything else that decides what comes out: the manifest, the commands, and the state of files.
    basis: String,
}

/// What has changed since a stamp was written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// Sources of the image's crate, and nothing that it is linked with.
    Own,
}

/// What starts the line of a file or of the command.
const OWN: &str = "own ";
const LINKED: &str = "linked ";
const COMMAND: &str = "command ";

impl Stamp {
    /// The stamp of a build that has just succeeded. `linked` are the sources of what the image's crate is
    /// linked with, `command` is the compiler's command for it. `None` where that can't be relied on: a
    /// source that changed while it was compiled may be newer than its image.
    pub(super) fn new(
        build: &Build,
        package: &DevicePackage,
        linked: &BTreeSet<PathBuf>,
        own: BTreeSet<PathBuf>,
        command: &str,
        started: SystemTime,
    ) -> Option<Self> {
        are_older(linked, started).then_some(())?;
        Some(Self { own, basis: basis(build, package, linked, command)? })
    }

    /// The stamp of an earlier build, and what has changed since; `None` if it tells nothing about this one.
    pub(super) fn read(build: &Build, package: &DevicePackage) -> Option<(Self, Change)> {
        let old = fs::read_to_string(&build.stamp).ok()?;
        let linked = files(LINKED, &old).collect();
        let basis = basis(build, package, &linked, command(&old))?;
        let own = files(OWN, &old).collect();
        let is_same = list(OWN, &own).is_some_and(|now| old.strip_prefix(&basis) == Some(&now));
        let is_same = is_same && (build.stops || build.raw_image.is_file()) && build.raw_ir.is_file();
        let change = if is_same { Change::None } else { Change::Own };
        old.starts_with(&basis).then_some((Self { own, basis }, change))
    }

    /// The compiler's command for the image's crate, in cargo's words; empty if they weren't found.
    pub(super) fn command(&self) -> &str {
        command(&self.basis)
    }

    /// The sources of what the image's crate is linked with.
    pub(super) fn linked(&self) -> impl Iterator<Item = PathBuf> {
        files(LINKED, &self.basis)
    }

    /// Leaves it, unless one of the crate's own sources has changed since the build started.
    pub(super) fn write(&self, build: &Build, started: SystemTime) {
        if are_older(&self.own, started)
            && let Some(own) = list(OWN, &self.own)
        {
            // Without a stamp the next build just runs.
            let _ = fs::write(&build.stamp, format!("{}{own}", self.basis));
        }
    }
}

/// Takes an earlier build's stamp away: if this one fails, what it leaves isn't taken for an image.
pub(super) fn remove(build: &Build) {
    let _ = fs::remove_file(&build.stamp);
}

fn basis(
    build: &Build,
    package: &DevicePackage,
    linked: &BTreeSet<PathBuf>,
    command: &str,
) -> Option<String> {
    let run = &build.invocation;
    let mut text = format!("{:?}\n{:?}\n{:?}\n{:?}\n", package.manifest, run.arguments, run.folder, run.set);
    for file in [&run.program, &package.lock].into_iter().chain(&build.configuration) {
        if let Some(state) = state(file) {
            let _ = writeln!(text, "also {state} {}", file.display());
        }
    }
    text.push_str(&list(LINKED, linked)?);
    let _ = writeln!(text, "{COMMAND}{command}");
    Some(text)
}

fn command(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix(COMMAND)).unwrap_or_default()
}

/// The files of one kind in a stamp's text.
fn files(kind: &str, text: &str) -> impl Iterator<Item = PathBuf> {
    text.lines().filter_map(move |line| Some(line.strip_prefix(kind)?.split_once(' ')?.1.into()))
}

/// A line for each file; `None` if one is gone.
fn list(kind: &str, files: &BTreeSet<PathBuf>) -> Option<String> {
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "{kind}{} {}", state(file)?, file.display());
    }
    Some(text)
}

fn state(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}:{}", metadata.len(), changed.as_nanos()))
}

fn are_older(files: &BTreeSet<PathBuf>, time: SystemTime) -> bool {
    files.iter().all(|file| fs::metadata(file).and_then(|m| m.modified()).is_ok_and(|changed| changed < time))
}
