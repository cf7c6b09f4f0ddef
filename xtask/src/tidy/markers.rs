//! What is left to do stands in an issue, not in the source.

use crate::tidy::tree::find_in_lines;
use crate::tidy::{Findings, Subject};

/// Words for what is left to do. They are put together here, or this file would break its own rule.
const MARKERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("todo", "!"),
    concat!("unimplemented", "!"),
    concat!("dbg", "!"),
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    // The inputs of UI tests never run: there a placeholder is as good as a value.
    let sources = subject.tree.rust().filter(|file| !file.path.contains("tests/ui/"));
    Ok(find_in_lines(sources, marker))
}

pub(super) fn marker(line: &str) -> Option<&'static str> {
    let is_word = |marker: &str, at: usize| {
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        !line[..at].ends_with(part_of_word)
            && (marker.ends_with('!') || !line[at + marker.len()..].starts_with(part_of_word))
    };
    let found = |marker: &&str| line.match_indices(*marker).any(|(at, _)| is_word(marker, at));
    MARKERS.iter().copied().find(found)
}
