//! Clippy asks for `SAFETY` comments too, but doesn't look into macros, nor at `unsafe impl` in them.

use proc_macro2::{Delimiter, TokenTree};

use crate::tidy::code::{is_ident, line, tokens, walk};
use crate::tidy::tree::{Source, find_in_lines};
use crate::tidy::{Findings, Subject};

/// Lines above an `unsafe` in which a `SAFETY` comment may end: a statement may begin before its `unsafe`.
const NEAR: usize = 10;

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let sources = || subject.tree.rust_outside_tests();
    let mut findings = find_in_lines(sources(), without_obligation);
    for source in sources() {
        let lines = unexplained(source)?.into_iter();
        findings
            .extend(lines.map(|line| format!("{}:{line}: `unsafe` without a SAFETY comment", source.path)));
    }
    Ok(findings)
}

/// The lines of `unsafe {` and `unsafe impl` with no `SAFETY` just above.
pub(super) fn unexplained(source: &Source) -> anyhow::Result<Vec<usize>> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut unexplained = Vec::new();
    walk(&tokens(source)?, false, &mut |tokens| {
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
    });
    Ok(unexplained)
}

/// What is wrong with a comment that points to another place instead of an obligation.
pub(super) fn without_obligation(line: &str) -> Option<&'static str> {
    const ELSEWHERE: [&str; 4] =
        ["the caller's contract", "the same contract", "by contract", "SAFETY: as above"];
    let is_elsewhere = line.contains("// SAFETY:") && ELSEWHERE.iter().any(|words| line.contains(words));
    is_elsewhere.then_some("a SAFETY comment names the obligation, and where it is met")
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
