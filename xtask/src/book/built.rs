//! The pages that mdBook wrote: links to the repository are made the forge's, and the others are followed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::book::source::resolve;

/// Address where files of the repository are shown.
const FILES: &str = "https://github.com/gridwright/gridwright/blob/main/";
/// Folder of the files that lie at the root of the built book.
const SOURCES: &str = "book/src/";

/// The pages that people read, from the book's folder.
pub(super) fn pages(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    collect(folder, folder, &mut pages)?;
    // Not pages: frames, and what is shown for a page that isn't there.
    pages.retain(|page| !matches!(page.to_str(), Some("404.html" | "toc.html")));
    pages.sort();
    Ok(pages)
}

fn collect(root: &Path, folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path.strip_prefix(root)?.to_owned());
        }
    }
    Ok(())
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
            match target.strip_prefix(SOURCES) {
                Some(target) => {
                    let there = folder.join(target);
                    let is_right = there.exists()
                        && (fragment.is_empty() || {
                            let html = fs::read_to_string(&there).unwrap_or_default();
                            attribute(&html, "id").any(|id| id == fragment)
                        });
                    if !is_right {
                        broken.push(format!("{}: {link}", page.display()));
                    }
                }
                None => {
                    written =
                        written.replace(&format!("href=\"{link}\""), &format!("href=\"{FILES}{target}\""));
                }
            }
        }
        if written != html {
            fs::write(&path, written)?;
        }
    }
    if !broken.is_empty() {
        bail!("links that lead nowhere:\n{}", broken.join("\n"));
    }
    Ok(())
}

/// The values of an attribute.
fn attribute<'h>(html: &'h str, name: &str) -> impl Iterator<Item = &'h str> {
    let begin = format!(" {name}=\"");
    let parts: Vec<&str> = html.split(begin.as_str()).skip(1).collect();
    parts.into_iter().filter_map(|part| part.split_once('"').map(|(value, _)| value))
}
