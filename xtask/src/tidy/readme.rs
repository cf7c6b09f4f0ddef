//! The first program that people read is one that is compiled and run: the crate docs' first listing. It is also what
//! `cargo gridwright new` writes.

use crate::tidy::{Findings, Subject};

const README: &str = "README.md";
const CRATE: &str = "src/lib.rs";
const TEMPLATE: &str = "cli/template/program.rs";

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let (Some(readme), Some(root)) = (subject.tree.get(README), subject.tree.get(CRATE)) else {
        return Ok(Findings::new());
    };
    let docs = crate_docs(&root.text);
    let listing = first_listing(&readme.text, &["rust"]);
    let mut findings = Findings::new();
    if listing != first_listing(&docs, &["", "rust"]) {
        findings.push(format!("the first ```rust block of {README} isn't the first listing of {CRATE}"));
    }
    let template = subject.tree.get(TEMPLATE);
    if template.map(|file| file.text.lines().map(str::to_owned).collect()) != listing {
        findings.push(format!("the first ```rust block of {README} isn't {TEMPLATE}"));
    }
    let features = subject.workspace.member("gridwright")?.features.keys().map(String::as_str);
    let missing = features.filter(|name| *name != "default" && !is_listed(&docs, name));
    findings.extend(missing.map(|name| format!("the docs of {CRATE} leave out the feature `{name}`")));
    Ok(findings)
}

/// Whether an item of a list begins with the feature.
pub(super) fn is_listed(docs: &str, feature: &str) -> bool {
    let start = format!("- `{feature}`");
    docs.lines().any(|line| line.starts_with(&start))
}

pub(super) fn crate_docs(source: &str) -> String {
    let docs = source.lines().map_while(|line| line.strip_prefix("//!"));
    docs.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The lines of the first code block that is marked with one of `languages`.
pub(super) fn first_listing(markdown: &str, languages: &[&str]) -> Option<Vec<String>> {
    let mut lines = markdown.lines();
    let begins = |line: &&str| line.strip_prefix("```").is_some_and(|word| languages.contains(&word.trim()));
    lines.find(begins)?;
    Some(lines.take_while(|line| !line.starts_with("```")).map(Into::into).collect())
}
