//! Listings: parts of tested files, whose text stands in the pages, so that these can be read where they lie.
//!
//! A comment above a block of code says what the block shows: `<!-- listing ../listings/a.rs:part -->`, or several parts with
//! commas between them. A part is what stands between two marks, or lines: `a.rs:3:5`. [`written`] puts the text there.

use super::{Files, TESTED, anchors, resolve};

/// A file's path from the repository's root, and its part; all of it without.
pub(super) type Part = (String, String);

/// What a comment says that its block shows.
pub(super) fn targets(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- listing ")?.strip_suffix(" -->").map(str::trim)
}

/// Whether the comment of a line has a block of code below.
pub(super) fn has_block(text: &str, number: usize) -> bool {
    let mut lines = text.lines().skip(number);
    let is_flush_left = lines.next().is_some_and(|line| !line.starts_with(char::is_whitespace));
    is_flush_left && lines.next().is_some_and(|line| line.starts_with("```"))
}

/// The page with the text of each listing in its block. Blocks whose comment is wrong stay as they are.
pub(crate) fn written(files: &impl Files, page: &str, text: &str) -> String {
    let mut written = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        push(&mut written, line);
        let Some(shown) = targets(line).and_then(|targets| shown(files, page, targets).ok()) else {
            continue;
        };
        let Some(fence) = lines.next_if(|line| line.starts_with("```")) else { continue };
        push(&mut written, fence);
        while lines.next_if(|line| !line.starts_with("```")).is_some() {}
        push(&mut written, &shown.text);
    }
    written
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The text of a block, and the parts that it is of.
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
}

/// What a comment's block is to show.
///
/// # Errors
/// What is wrong with the comment.
pub(super) fn shown(files: &impl Files, page: &str, targets: &str) -> Result<Shown, String> {
    let mut shown = Shown { text: String::new(), parts: Vec::new() };
    for target in targets.split(',').map(str::trim) {
        let (file, part) = target.split_once(':').unwrap_or((target, ""));
        let path = resolve(page, file).ok_or_else(|| format!("{file} is outside of the repository"))?;
        let text = files.text(&path).ok_or_else(|| format!("there is no {path}"))?;
        if !TESTED.iter().any(|folder| path.starts_with(folder)) {
            return Err(format!("{path} isn't compiled by a test: listings are from {}", TESTED.join(", ")));
        }
        let lines = match range(part) {
            Some((first, last)) => lines_of(text, first, last)
                .ok_or_else(|| format!("{path} has {} lines, not {part}", text.lines().count()))?,
            None => part_of(text, part).ok_or_else(|| {
                format!("{path} has no part `{part}` between `ANCHOR: {part}` and `ANCHOR_END: {part}`")
            })?,
        };
        if lines.iter().any(|line| line.starts_with("```")) {
            return Err(format!("`{part}` of {path} would end its block"));
        }
        if !shown.parts.is_empty() {
            shown.text.push_str("\n\n");
        }
        shown.text.push_str(&flush_left(&lines));
        shown.parts.push((path, part.into()));
    }
    Ok(shown)
}

/// The first and the last line, from 1, of a part like `3:5`.
fn range(part: &str) -> Option<(usize, usize)> {
    let (first, last) = part.split_once(':')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

fn lines_of(text: &str, first: usize, last: usize) -> Option<Vec<&str>> {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(first.checked_sub(1)?..last).map(<[&str]>::to_vec)
}

/// The lines of a part, without the marks of parts.
fn part_of<'t>(text: &'t str, part: &str) -> Option<Vec<&'t str>> {
    let is_mark = |line: &&str| line.contains("ANCHOR:") || line.contains("ANCHOR_END:");
    if part.is_empty() {
        return Some(text.lines().filter(|line| !is_mark(line)).collect());
    }
    let is = |line: &str, mark: &str| anchors(line, mark).any(|name| name == part);
    let inside = text.lines().skip_while(|line| !is(line, "ANCHOR:")).skip(1);
    let lines: Vec<&str> = inside.clone().take_while(|line| !is(line, "ANCHOR_END:")).collect();
    (inside.count() > lines.len()).then(|| lines.into_iter().filter(|line| !is_mark(line)).collect())
}

/// The lines as one text, without the spaces that all of them begin with, and without empty lines around.
fn flush_left(lines: &[&str]) -> String {
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = indents.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines: Vec<&str> =
        lines.iter().map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
