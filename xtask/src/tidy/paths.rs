//! The repository builds anywhere: it names no folder of the machine that it was written on.

use crate::tidy::{Findings, Subject};

/// Beginnings of a machine's paths. They are put together here, or this file would break its own rule.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for file in &subject.tree.files {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(folder) = machine_path(line) {
                findings.push(format!("{}:{}: {folder}", file.path, number + 1));
            }
        }
    }
    Ok(findings)
}

/// A path that begins so; not a part of a longer path or of an address.
pub(super) fn machine_path(line: &str) -> Option<&'static str> {
    let continues = |c: char| c.is_alphanumeric() || "._-/}$~".contains(c);
    let begins = |folder: &&str| line.match_indices(*folder).any(|(at, _)| !line[..at].ends_with(continues));
    FOLDERS.iter().copied().find(begins)
}
