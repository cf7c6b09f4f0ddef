//! The book's table of lines is that of these sources.

use crate::lines;
use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    lines::check(&subject.workspace.root)
}
