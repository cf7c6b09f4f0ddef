//! The source files that an image was made from, from the compiler's `.d` files: the build script
//! must run again when one of a path dependency changes, and cargo doesn't know of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::messages::{Artifact, Messages, Origin};
use crate::plan::Build;

/// The sources of the image's crate; `None` if the compiler hasn't listed them.
pub(super) fn of_image(build: &Build) -> Option<BTreeSet<PathBuf>> {
    let base = build.dep_info.parent()?;
    let text = fs::read_to_string(&build.dep_info).ok()?;
    Some(parse(&text).map(|source| base.join(source)).collect())
}

/// The files of all other crates that lie in folders, without the compiler's own.
pub(super) fn of_linked(messages: &Messages, build: &Build, library: &Path) -> BTreeSet<PathBuf> {
    let linked =
        messages.artifacts.iter().filter(|a| is_local(&a.package, library) && a.package.root != build.root);
    linked.flat_map(of_artifact).collect()
}

/// What failed to compile has no `.d` file: its whole folder is watched until it does.
pub(super) fn of_failed(messages: &Messages, library: &Path) -> BTreeSet<PathBuf> {
    let failed = messages.failed().filter(|package| is_local(package, library));
    failed.filter_map(|package| package.root.parent().map(Path::to_owned)).collect()
}

fn is_local(package: &Origin, library: &Path) -> bool {
    package.id.starts_with("path+") && !package.root.starts_with(library)
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
