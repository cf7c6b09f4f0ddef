//! What is left to do stands in an issue, not in the source.

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
    let mut findings = Findings::new();
    // The inputs of UI tests never run: there a placeholder is as good as a value.
    for source in subject.tree.rust().filter(|file| !file.path.contains("tests/ui/")) {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(marker) = marker(line) {
                findings.push(format!("{}:{}: {marker}", source.path, number + 1));
            }
        }
    }
    Ok(findings)
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
