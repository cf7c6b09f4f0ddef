//! What only matters where a thread may end before the others of its warp.
//!
//! A panic ends one thread, and a shuffle from it gives each of the others something of its own: what is to be one value for
//! all is taken from a lane that lives, which costs instructions. The device library writes them as a line of inline assembly,
//! with what is enough where no thread ends in the comment before it:
//!
//! ```text
//! // unless threads end: mov.b32 %r5, %r4; without %r3
//! { … }
//! ```
//!
//! Only here the whole kernel is known. In one that can't end a thread the comment's statement replaces the line, and the vote
//! that made the register behind `without` goes, too.

use std::collections::BTreeSet;
use std::ops::Range;

const MARK: &str = "// unless threads end: ";

/// A function with a body.
struct Function<'t> {
    name: &'t str,
    is_entry: bool,
    /// From its opening brace on.
    lines: Range<usize>,
}

/// Replaces what needn't be there, in kernels that can't end a thread. Other functions may be called where some have ended.
pub(super) fn forget(lines: &[&str], changes: &mut Vec<(usize, String)>) {
    if !lines.iter().any(|line| line.contains(MARK)) {
        return;
    }
    let functions = find(lines);
    let harmless = harmless(&functions, lines);
    for function in functions.iter().filter(|function| function.is_entry && harmless.contains(function.name))
    {
        for at in function.lines.clone() {
            let Some((_, instead)) = lines[at].split_once(MARK) else { continue };
            let (statement, vote) = instead.split_once(';').unwrap_or((instead, ""));
            // The comment isn't seen twice, and the line of what it is instead of becomes empty.
            if at + 1 < function.lines.end && code(lines[at + 1]).starts_with('{') {
                changes.push((at, format!("\t{};\n", statement.trim())));
                changes.push((at + 1, String::new()));
                if let Some(register) = vote.trim().strip_prefix("without ") {
                    changes.extend(vote_of(register.trim(), lines, function).map(|at| (at, String::new())));
                }
            }
        }
    }
}

/// Where a register is set by a vote, if nothing but inline assembly of this kind reads it.
fn vote_of(register: &str, lines: &[&str], function: &Function<'_>) -> Option<usize> {
    let mut vote = None;
    for at in function.lines.clone() {
        let is_marked = at > 0 && lines[at - 1].contains(MARK);
        if is_marked || !words(code(lines[at])).any(|word| word == register) {
            continue;
        }
        let mut words = words(code(lines[at]));
        let is_vote = words.next() == Some("vote.sync.ballot.b32") && words.next() == Some(register);
        if vote.is_some() || !is_vote {
            return None;
        }
        vote = Some(at);
    }
    vote
}

/// The functions that can't end a thread: that have no instruction for it, and call only such functions.
fn harmless<'t>(functions: &[Function<'t>], lines: &[&'t str]) -> BTreeSet<&'t str> {
    let mut harmless = BTreeSet::new();
    loop {
        let before = harmless.len();
        for function in functions {
            let ends =
                lines[function.lines.clone()].iter().flat_map(|line| code(line).split(';')).any(|code| {
                    let is = |name: &str| words(code).any(|word| word.split('.').next() == Some(name));
                    // The function that is called is named, unless it is called by a pointer.
                    is("exit") || is("trap") || is("call") && !words(code).any(|word| harmless.contains(word))
                });
            if !ends {
                harmless.insert(function.name);
            }
        }
        if harmless.len() == before {
            return harmless;
        }
    }
}

/// The module's functions. LLVM puts the braces around a body at the beginning of lines, and no others.
fn find<'t>(lines: &[&'t str]) -> Vec<Function<'t>> {
    let mut functions = Vec::new();
    let mut header = None;
    let mut first = None;
    for (at, line) in lines.iter().enumerate() {
        match (first, header) {
            (Some(begin), Some((name, is_entry))) if line.starts_with('}') => {
                functions.push(Function { name, is_entry, lines: begin..at });
                first = None;
                header = None;
            }
            (None, Some(_)) if line.starts_with('{') => first = Some(at),
            (None, _) => {
                if let Some((_, rest)) = line.split_once(".entry") {
                    header = words(rest).next().map(|name| (name, true));
                } else if let Some((_, rest)) = line.split_once(".func") {
                    // Behind what it returns.
                    let returns = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
                    let rest = returns.map_or(rest, |(_, rest)| rest);
                    header = words(rest).next().map(|name| (name, false));
                }
            }
            _ => {}
        }
    }
    functions
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim()
}

/// Names, registers and opcodes.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '%' | '.')))
        .filter(|word| !word.is_empty())
}
