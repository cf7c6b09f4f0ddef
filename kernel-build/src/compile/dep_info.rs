//! The source files that an image was made from, from the compiler's `.d` files: the build script
//! must run again when one of a path dependency changes, and cargo doesn't know of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::messages::{Artifact, Messages, Origin};
use crate::plan::Build;

/// The sources of the crate that became the image. Crates of one name share a `.d` file in the shared
/// folder, so it only counts if it is about this image; the walk along `mod` found most of them anyway.
pub(super) fn of_image(build: &Build) -> BTreeSet<PathBuf> {
    let this = build.raw_ir.to_string_lossy();
    let is_of_crate = |name: &str| {
        let rest = name.strip_suffix(".d").and_then(|name| name.strip_prefix(&build.crate_name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let entries = build.dep_info_folders.iter().flat_map(fs::read_dir).flatten().filter_map(Result::ok);
    let files = entries.filter(|entry| is_of_crate(&entry.file_name().to_string_lossy()));
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let own = texts.filter(|text| text.lines().any(|line| line.starts_with(&*this)));
    // A file of an earlier build may name sources that are gone, which cargo would find changed at every build.
    let is_there = |source: &PathBuf| source.is_absolute() && source.exists();
    own.flat_map(|text| parse(&text).collect::<Vec<_>>()).filter(is_there).collect()
}

/// The files of all crates that lie in folders, without the compiler's own.
pub(super) fn of_dependencies(messages: &Messages, library: &Path) -> BTreeSet<PathBuf> {
    let is_local = |package: &Origin| package.id.starts_with("path+") && !package.root.starts_with(library);
    let mut watched = BTreeSet::new();
    for artifact in messages.artifacts.iter().filter(|a| is_local(&a.package)) {
        watched.extend(of_artifact(artifact));
    }
    // What failed to compile has no `.d` file: its whole folder is watched until it does.
    for package in messages.failed().filter(|p| is_local(p)) {
        watched.extend(package.root.parent().map(Path::to_owned));
    }
    watched
}

fn of_artifact(artifact: &Artifact) -> BTreeSet<PathBuf> {
    let base = artifact.package.root.parent().unwrap_or(Path::new(""));
    let mut sources = BTreeSet::new();
    for file in &artifact.files {
        for name in names(file) {
            if let Ok(text) = fs::read_to_string(file.with_file_name(name)) {
                sources.extend(parse(&text).map(|source| base.join(source)).filter(|source| source.exists()));
            }
        }
    }
    sources
}

/// `libx-123.rmeta` has `x-123.d` beside it.
fn names(file: &Path) -> Vec<String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    [Some(&*stem), stem.strip_prefix("lib")].into_iter().flatten().map(|s| format!("{s}.d")).collect()
}

/// The sources in a `.d` file: each has a line of its own, with a colon at its end.
pub(super) fn parse(text: &str) -> impl Iterator<Item = PathBuf> {
    text.lines().filter_map(|line| line.strip_suffix(':')).map(|path| path.replace("\\ ", " ").into())
}
