//! Each expected message belongs to a UI test.

use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let tests = |path: &str| subject.tree.get(&format!("{path}.rs")).is_some();
    let paths = subject.tree.files.iter().filter_map(|file| file.path.strip_suffix(".stderr"));
    Ok(paths.filter(|path| !tests(path)).map(|path| format!("{path}.stderr has no {path}.rs")).collect())
}
