//! The tables in the book.

use std::fs;

use anyhow::{Context, ensure};

use super::Comparison;
use crate::book::output;
use crate::workspace::Workspace;

/// The page with the tables, from the workspace's root.
const PAGE: &str = "book/src/measured.md";

/// What becomes of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// The tables are written into it.
    Written,
    /// It must have them already.
    Checked,
}

impl Page {
    /// `command` is what prints the tables.
    ///
    /// # Errors
    /// Where the page can't be read or written, has no place for them, or should have had them.
    pub(super) fn hold(
        self,
        workspace: &Workspace,
        command: &str,
        tables: &[Comparison],
    ) -> anyhow::Result<()> {
        let path = workspace.root.join(PAGE);
        let text = fs::read_to_string(&path).with_context(|| format!("can't read {PAGE}"))?;
        let tables: Vec<String> = tables.iter().map(Comparison::markdown).collect();
        let updated = output::replace(&text, command, |_| Ok(format!("\n{}\n", tables.join("\n"))))
            .with_context(|| format!("in {PAGE}"))?;
        if self == Self::Written {
            return fs::write(&path, updated).with_context(|| format!("can't write {PAGE}"));
        }
        ensure!(text == updated, "the tables in {PAGE} aren't those above: run `{command}`");
        Ok(())
    }
}
