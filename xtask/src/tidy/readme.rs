//! The first program that people read is one that is compiled and run: the crate docs' first listing.

use crate::tidy::{Findings, Subject};

const README: &str = "README.md";
const CRATE: &str = "src/lib.rs";

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let (Some(readme), Some(root)) = (subject.tree.get(README), subject.tree.get(CRATE)) else {
        return Ok(Findings::new());
    };
    let docs = crate_docs(&root.text);
    let same = first_listing(&readme.text, &["rust"]) == first_listing(&docs, &["", "rust"]);
    let finding = format!("the first ```rust block of {README} isn't the first listing of {CRATE}");
    Ok(if same { Findings::new() } else { vec![finding] })
}

pub(super) fn crate_docs(source: &str) -> String {
    let docs = source.lines().map_while(|line| line.strip_prefix("//!"));
    docs.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The lines of the first code block that is marked with one of `languages`.
pub(super) fn first_listing(markdown: &str, languages: &[&str]) -> Option<Vec<String>> {
    let mut lines = markdown.lines();
    lines
        .find(|line| line.strip_prefix("```").is_some_and(|language| languages.contains(&language.trim())))?;
    Some(lines.take_while(|line| !line.starts_with("```")).map(Into::into).collect())
}
