//! What the book's sources must be: listings are parts of files that are tested, and links lead somewhere.

mod listings;
#[cfg(test)]
mod tests;

pub(crate) use listings::written;

use std::collections::BTreeSet;

/// Folders where a listing may come from: tests compile and run what is below these, or compile it and
/// expect an error.
const TESTED: &[&str] =
    &["book/listings/", "book/puzzles/", "examples/", "primitives/tests/", "tests/", "src/lib.rs"];

/// Folder of the pages.
pub(crate) const PAGES: &str = "book/src/";
/// Folder of the listings, of which none is for nobody.
const LISTINGS: &str = "book/listings/";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// The files of the repository.
pub(crate) trait Files {
    /// A text file's text.
    fn text(&self, path: &str) -> Option<&str>;
    /// Whether there is such a file or folder.
    fn exists(&self, path: &str) -> bool;
    /// Each text file below a folder, with its path.
    fn below<'f>(&'f self, folder: &'f str) -> Box<dyn Iterator<Item = (&'f str, &'f str)> + 'f>;
}

/// What is wrong, and where.
pub(crate) fn check(files: &impl Files) -> Vec<String> {
    let mut findings = Vec::new();
    let mut shown_parts = BTreeSet::new();
    let samples = text_of_samples(files);
    for (path, text) in files.below(PAGES).filter(|(path, _)| path.ends_with(".md")) {
        let mut find = |line: usize, what: &str| findings.push(format!("{path}:{}: {what}", line + 1));
        for (number, line) in lines(text) {
            match line {
                Line::Fence { language: "rust", listing: false } => {
                    find(number, "Rust that isn't of a file: a comment above says of which, as others do");
                }
                Line::Fence { .. } => {}
                Line::Listing(targets) if !listings::has_block(text, number) => {
                    let what = "right below, not behind spaces";
                    find(number, &format!("there is no block of code for {targets} {what}"));
                }
                Line::Listing(targets) => match listings::shown(files, path, targets) {
                    Ok(shown) => shown_parts.extend(shown.parts),
                    Err(wrong) => find(number, &wrong),
                },
                Line::Text(line) => {
                    if line.contains("{{#") {
                        find(number, "mdBook's own words can't be read where the page lies");
                    }
                    let wrong = links(line).into_iter().filter_map(|link| follow(files, path, link).err());
                    wrong.for_each(|wrong| find(number, &wrong));
                }
            }
        }
        if listings::written(files, path, text) != text {
            find(0, "a listing isn't what its file has: run `cargo xtask book --listings`");
        }
        for (number, code) in cells(text) {
            if !samples.contains(&squeezed(&code)) {
                find(number, &format!("`{code}` isn't in a listing or a sample"));
            }
        }
        let in_summary =
            path == SUMMARY || files.text(SUMMARY).is_some_and(|text| text.contains(&path[PAGES.len()..]));
        if !in_summary {
            find(0, &format!("the page isn't in {SUMMARY}"));
        }
    }
    findings.extend(unused(files, &shown_parts));
    findings
}

/// A line of a page, by what is checked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'t> {
    /// A block of code begins. `listing` if the line above says of which file it is.
    Fence { language: &'t str, listing: bool },
    /// The comment that says so, and of what.
    Listing(&'t str),
    /// Text outside of code.
    Text(&'t str),
}

/// The lines that matter, with their numbers from zero.
pub(crate) fn lines(text: &str) -> Vec<(usize, Line<'_>)> {
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in all.iter().copied().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            in_code = !in_code;
            if in_code {
                let above = number.checked_sub(1).and_then(|above| all.get(above));
                let listing = above.is_some_and(|line| listings::targets(line).is_some());
                let language = info.split([',', ' ']).next().unwrap_or_default();
                found.push((number, Line::Fence { language, listing }));
            }
        } else if !in_code {
            found.push((number, listings::targets(line).map_or(Line::Text(line), Line::Listing)));
        }
    }
    found
}

/// The names behind a mark.
fn anchors<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| line.split_once(mark).map(|(_, name)| name.trim()))
}

/// Listings that no page shows.
fn unused(files: &impl Files, shown: &BTreeSet<listings::Part>) -> Vec<String> {
    let anchors = files.below(LISTINGS).flat_map(|(path, text)| {
        anchors(text, "ANCHOR:").map(move |anchor| (path.to_owned(), anchor.to_owned()))
    });
    let unused = anchors.filter(|part| !shown.contains(part));
    unused.map(|(path, anchor)| format!("{path}: no page shows `{anchor}`")).collect()
}

/// The targets of links, `[…](target)`, in a line without code.
pub(crate) fn links(line: &str) -> Vec<&str> {
    // In code there are no links.
    let outside = |at: usize| line[..at].matches('`').count().is_multiple_of(2);
    let starts = line.match_indices("](").filter(|(at, _)| outside(*at));
    starts.filter_map(|(at, _)| line[at + 2..].split_once(')').map(|(target, _)| target)).collect()
}

/// Whether a link leads somewhere in the repository, as far as it can be known here.
pub(crate) fn follow(files: &impl Files, page: &str, link: &str) -> Result<(), String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(());
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let path = if file.is_empty() { page.into() } else { resolve(page, file).unwrap_or_default() };
    if !files.exists(&path) {
        return Err(format!("the link to {link} leads nowhere"));
    }
    let is_heading = || {
        let text = files.text(&path).unwrap_or_default();
        let texts = lines(text).into_iter().filter_map(|(_, line)| match line {
            Line::Text(line) => line.strip_prefix('#'),
            _ => None,
        });
        texts.map(|heading| slug(heading.trim_start_matches('#'))).any(|slug| slug == fragment)
    };
    if fragment.is_empty() || is_heading() {
        Ok(())
    } else {
        Err(format!("{path} has no heading #{fragment}"))
    }
}

/// A path from a page, from the repository's root.
pub(crate) fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A heading as mdBook names it.
pub(crate) fn slug(heading: &str) -> String {
    let heading = heading.trim().to_lowercase();
    let named = heading.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    named.collect()
}

/// The code in tables' columns that are headed "Gridwright", with the lines' numbers.
pub(crate) fn cells(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut column = None;
    for (number, line) in lines(text) {
        let row = match line {
            Line::Text(line) if line.starts_with('|') => columns(line),
            _ => {
                column = None;
                continue;
            }
        };
        match column {
            None => column = Some(row.iter().position(|cell| cell == "Gridwright")),
            Some(Some(at)) => {
                let cell = row.get(at).map_or("", String::as_str);
                found.extend(cell.split('`').skip(1).step_by(2).map(|code| (number, code.into())));
            }
            Some(None) => {}
        }
    }
    found
}

/// A table's row; `\|` doesn't end a cell.
fn columns(line: &str) -> Vec<String> {
    let escaped = line.trim_matches('|').replace("\\|", "\u{0}");
    escaped.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

/// What cells may show, squeezed.
fn text_of_samples(files: &impl Files) -> String {
    let folders =
        ["book/listings/tests/", "examples/src/bin/", "examples/src/samples/", "examples/tests/library/"];
    folders.iter().flat_map(|folder| files.below(folder)).map(|(_, text)| squeezed(text)).collect()
}

/// The text without spaces and ends of lines, which rustfmt moves.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
