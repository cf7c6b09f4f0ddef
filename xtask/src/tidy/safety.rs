//! Clippy asks for `SAFETY` comments too, but doesn't look into macros, nor at `unsafe impl` in them.

use proc_macro2::{Delimiter, TokenTree};

use crate::tidy::code::{is_ident, line, walk};
use crate::tidy::tree::Source;
use crate::tidy::{Findings, Subject};

/// Lines above an `unsafe` in which a `SAFETY` comment may end: a statement may begin before its `unsafe`.
const NEAR: usize = 10;

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for source in subject.tree.rust_outside_tests() {
        for line in unexplained(source)? {
            findings.push(format!("{}:{line}: `unsafe` without a SAFETY comment", source.path));
        }
        for line in without_obligation(&source.text) {
            findings.push(format!(
                "{}:{line}: a SAFETY comment names the obligation, and where it is met",
                source.path
            ));
        }
    }
    Ok(findings)
}

/// The lines of `unsafe {` and `unsafe impl` with no `SAFETY` just above.
pub(super) fn unexplained(source: &Source) -> anyhow::Result<Vec<usize>> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut unexplained = Vec::new();
    walk(source, |tokens| {
        if let [first, second, ..] = tokens
            && is_ident(first, "unsafe")
            && (is_ident(second, "impl") || is_block(second))
        {
            let number = line(first);
            let above = &lines[number.saturating_sub(NEAR + 1)..number];
            if !above.iter().any(|line| line.contains("SAFETY")) {
                unexplained.push(number);
            }
        }
    })?;
    Ok(unexplained)
}

/// The lines of comments that point to another place instead of an obligation.
pub(super) fn without_obligation(text: &str) -> Vec<usize> {
    const ELSEWHERE: [&str; 4] =
        ["the caller's contract", "the same contract", "by contract", "SAFETY: as above"];
    let is_elsewhere =
        |line: &str| line.contains("// SAFETY:") && ELSEWHERE.iter().any(|words| line.contains(words));
    (1..).zip(text.lines()).filter(|(_, line)| is_elsewhere(line)).map(|(number, _)| number).collect()
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
