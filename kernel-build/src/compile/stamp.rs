//! Whether a build would give what is there already. Cargo can't tell, as the image isn't where it
//! looks; and a package may have many targets, of which an edit touches one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::plan::{Build, DevicePackage};

/// The sources of a build that needn't run again; `None` if it must.
pub(super) fn read(build: &Build, package: &DevicePackage) -> Option<BTreeSet<PathBuf>> {
    if !build.raw_image.is_file() || !build.raw_ir.is_file() {
        return None;
    }
    let old = fs::read_to_string(&build.stamp).ok()?;
    let files: BTreeSet<PathBuf> = old
        .lines()
        .filter_map(|l| l.strip_prefix(FILE)?.split_once(' '))
        .map(|(_, path)| path.into())
        .collect();
    (text(build, package, &files)? == old).then_some(files)
}

/// Notes a build that succeeded.
pub(super) fn write(build: &Build, package: &DevicePackage, files: &BTreeSet<PathBuf>, started: SystemTime) {
    // A source that changed while it was compiled may be newer than its image.
    let is_older = |file: &PathBuf| fs::metadata(file).and_then(|m| m.modified()).is_ok_and(|t| t < started);
    let stamp = if files.iter().all(is_older) { text(build, package, files) } else { None };
    // Without a stamp the next build just runs.
    let _ = match stamp {
        Some(stamp) => fs::write(&build.stamp, stamp),
        None => fs::remove_file(&build.stamp),
    };
}

/// What starts the line of a source file.
const FILE: &str = "file ";

/// Everything that decides what comes out: the manifest, the command, and the state of the files.
fn text(build: &Build, package: &DevicePackage, files: &BTreeSet<PathBuf>) -> Option<String> {
    let run = &build.invocation;
    let mut text = format!("{:?}\n{:?}\n{:?}\n{:?}\n", package.manifest, run.arguments, run.folder, run.set);
    for file in [&build.invocation.program, &package.lock] {
        let _ = writeln!(text, "also {} {}", state(file).unwrap_or_default(), file.display());
    }
    for file in files {
        let _ = writeln!(text, "{FILE}{} {}", state(file)?, file.display());
    }
    Some(text)
}

fn state(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}:{}", metadata.len(), changed.as_nanos()))
}
