//! What the book's sources must be: listings are parts of files that are tested, and links lead somewhere.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

/// Folders where a listing may come from: tests compile and run what is below these, or compile it and
/// expect an error.
const TESTED: &[&str] = &["book/listings/", "book/puzzles/", "examples/", "tests/", "src/lib.rs"];

/// Folder of the pages.
const PAGES: &str = "book/src/";
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
    let mut included = BTreeSet::new();
    let samples = text_of_samples(files);
    for (path, text) in files.below(PAGES).filter(|(path, _)| path.ends_with(".md")) {
        let mut find = |line: usize, what: String| findings.push(format!("{path}:{}: {what}", line + 1));
        for (number, line) in lines(text) {
            match line {
                Line::Fence { language: "rust", listing: false } => {
                    find(number, "Rust that isn't included from a file".into());
                }
                Line::Fence { .. } => {}
                Line::Include(target) if is_indented(text, number) => {
                    find(
                        number,
                        format!("{target} is included behind spaces, which its other lines wouldn't have"),
                    );
                }
                Line::Include(target) => match include(files, path, target) {
                    Ok(what) => _ = included.insert(what),
                    Err(wrong) => find(number, wrong),
                },
                Line::Text(line) => {
                    for link in links(line) {
                        if let Err(wrong) = follow(files, path, link) {
                            find(number, wrong);
                        }
                    }
                }
            }
        }
        for (number, code) in cells(text) {
            if !samples.contains(&squeezed(&code)) {
                find(number, format!("`{code}` isn't in a listing or a sample"));
            }
        }
        let in_summary =
            path == SUMMARY || files.text(SUMMARY).is_some_and(|text| text.contains(&path[PAGES.len()..]));
        if !in_summary {
            find(0, format!("the page isn't in {SUMMARY}"));
        }
    }
    findings.extend(unused(files, &included));
    findings
}

/// A line of a page, by what is checked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'t> {
    /// A block of code begins. `listing` if there is nothing in it but what is included.
    Fence { language: &'t str, listing: bool },
    /// `{{#include …}}`.
    Include(&'t str),
    /// Text outside of code.
    Text(&'t str),
}

/// The lines that matter, with their numbers from zero.
pub(crate) fn lines(text: &str) -> Vec<(usize, Line<'_>)> {
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in all.iter().copied().enumerate() {
        if let Some(target) = included_by(line) {
            found.push((number, Line::Include(target)));
        } else if let Some(info) = line.strip_prefix("```") {
            in_code = !in_code;
            if in_code {
                let body = all[number + 1..].iter().take_while(|line| !line.starts_with("```"));
                let body = body.filter(|line| !line.is_empty());
                let listing =
                    body.clone().count() > 0 && body.clone().all(|line| included_by(line).is_some());
                let language = info.split([',', ' ']).next().unwrap_or_default();
                found.push((number, Line::Fence { language, listing }));
            }
        } else if !in_code {
            found.push((number, Line::Text(line)));
        }
    }
    found
}

/// Whether a line is indented: mdBook puts what is included in the place of the words alone.
fn is_indented(text: &str, number: usize) -> bool {
    text.lines().nth(number).is_some_and(|line| line.starts_with(char::is_whitespace))
}

fn included_by(line: &str) -> Option<&str> {
    line.strip_prefix("{{#include ")?.strip_suffix("}}").map(str::trim)
}

/// Whether what is included is there, and is tested; then the file and what of it.
fn include(files: &impl Files, page: &str, target: &str) -> Result<(String, String), String> {
    let (file, part) = target.split_once(':').unwrap_or((target, ""));
    let path = resolve(page, file).ok_or_else(|| format!("{file} is outside of the repository"))?;
    let text = files.text(&path).ok_or_else(|| format!("there is no {path}"))?;
    if !TESTED.iter().any(|folder| path.starts_with(folder)) {
        return Err(format!("{path} isn't compiled by a test: listings are from {}", TESTED.join(", ")));
    }
    let is_range = part.split(':').all(|bound| bound.bytes().all(|byte| byte.is_ascii_digit()));
    if is_range {
        let last = part.rsplit(':').next().and_then(|last| last.parse().ok()).unwrap_or(0);
        let count = text.lines().count();
        if last > count {
            return Err(format!("{path} has {count} lines, not {last}"));
        }
    } else if !anchors(text, "ANCHOR:").any(|anchor| anchor == part)
        || !anchors(text, "ANCHOR_END:").any(|anchor| anchor == part)
    {
        return Err(format!("{path} has no part `{part}` between `ANCHOR: {part}` and `ANCHOR_END: {part}`"));
    }
    Ok((path, part.into()))
}

/// The names behind a mark.
fn anchors<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| line.split_once(mark).map(|(_, name)| name.trim()))
}

/// Listings that no page shows.
fn unused(files: &impl Files, included: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in files.below(LISTINGS) {
        for anchor in anchors(text, "ANCHOR:") {
            if !included.contains(&(path.into(), anchor.into())) {
                findings.push(format!("{path}: no page includes `{anchor}`"));
            }
        }
    }
    findings
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
