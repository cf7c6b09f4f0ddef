//! A long file holds two subjects.

use crate::tidy::{Findings, Subject};

const MOST_LINES: usize = 1000;

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let files = subject.tree.rust().map(|file| (file, file.text.lines().count()));
    let long = files.filter(|(_, lines)| *lines > MOST_LINES);
    Ok(long.map(|(file, lines)| format!("{} has {lines} lines, more than {MOST_LINES}", file.path)).collect())
}
