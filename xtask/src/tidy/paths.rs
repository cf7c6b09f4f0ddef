//! The repository builds anywhere: it names no folder of the machine that it was written on.

use crate::tidy::tree::find_in_lines;
use crate::tidy::{Findings, Subject};

/// Beginnings of a machine's paths. They are put together here, or this file would break its own rule.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    Ok(find_in_lines(subject.tree.files.iter(), machine_path))
}

/// A path that begins so; not a part of a longer path or of an address.
pub(super) fn machine_path(line: &str) -> Option<&'static str> {
    let continues = |c: char| c.is_alphanumeric() || "._-/}$~".contains(c);
    let begins = |folder: &&str| line.match_indices(*folder).any(|(at, _)| !line[..at].ends_with(continues));
    FOLDERS.iter().copied().find(begins)
}
