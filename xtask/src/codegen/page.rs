//! The tables in the book.

use super::Comparison;
use crate::book::output::{self, Page};
use crate::workspace::Workspace;

/// The page with the tables, from the workspace's root.
const PAGE: &str = "book/src/measured.md";

/// Writes the tables that `command` prints, or checks that the page has them.
///
/// # Errors
/// Where the page can't be read or written, has no place for them, or should have had them.
pub(super) fn hold(
    workspace: &Workspace,
    page: Page,
    command: &str,
    tables: &[Comparison],
) -> anyhow::Result<()> {
    let tables: Vec<String> = tables.iter().map(Comparison::markdown).collect();
    hold_text(workspace, page, command, &tables.join("\n"))
}

/// As [`hold`], of Markdown.
///
/// # Errors
/// As of [`hold`].
pub(super) fn hold_text(workspace: &Workspace, page: Page, command: &str, text: &str) -> anyhow::Result<()> {
    page.hold(&workspace.root, PAGE, command, |document| {
        output::replace(document, command, |_| Ok(format!("\n{text}\n")))
    })
}
