//! The book's table of times is that of the record that is kept.

use crate::test::times;
use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    times::check(&subject.workspace.root)
}
