//! The pages that mdBook wrote: links to the repository are made the forge's, and the others are followed.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use fs_err as fs;

use crate::book::source::resolve;
use crate::files;

/// Address where files of the repository are shown.
const FILES: &str = "https://github.com/gridwright/gridwright/blob/main/";
/// Folder of the files that lie at the root of the built book.
const SOURCES: &str = "book/src/";

/// The pages that people read, from the book's folder.
pub(super) fn pages(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let pages = files::with_extension(folder, "html")?.into_iter();
    let mut pages = pages
        .map(|page| Ok(page.strip_prefix(folder)?.to_owned()))
        .collect::<anyhow::Result<Vec<PathBuf>>>()?;
    // Not pages: frames, and what is shown for a page that isn't there.
    pages.retain(|page| !matches!(page.to_str(), Some("404.html" | "toc.html")));
    pages.sort();
    Ok(pages)
}

/// Rewrites links to files of the repository, and fails on those that lead nowhere.
pub(super) fn check(folder: &Path, pages: &[PathBuf]) -> anyhow::Result<()> {
    let mut broken = Vec::new();
    for page in pages {
        let path = folder.join(page);
        let html = fs::read_to_string(&path)?;
        let source = format!("{SOURCES}{}", page.display());
        let mut written = html.clone();
        for link in attribute(&html, "href") {
            if link.contains(':') {
                continue; // an address, or mail
            }
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { source.clone() } else { resolve(&source, file).unwrap_or_default() };
            let Some(target) = target.strip_prefix(SOURCES) else {
                let of_forge = format!("href=\"{FILES}{target}\"");
                written = written.replace(&format!("href=\"{link}\""), &of_forge);
                continue;
            };
            let there = folder.join(target);
            let has = |fragment: &str| {
                let html = fs::read_to_string(&there).unwrap_or_default();
                attribute(&html, "id").any(|id| id == fragment)
            };
            if !there.exists() || !fragment.is_empty() && !has(fragment) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
        if written != html {
            fs::write(&path, written)?;
        }
    }
    ensure!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    Ok(())
}

/// The values of an attribute.
fn attribute<'h>(html: &'h str, name: &str) -> impl Iterator<Item = &'h str> {
    let begin = format!(" {name}=\"");
    let parts: Vec<&str> = html.split(begin.as_str()).skip(1).collect();
    parts.into_iter().filter_map(|part| part.split_once('"').map(|(value, _)| value))
}
