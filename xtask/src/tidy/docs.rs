//! The root of a crate, and of a module with a folder, says what it holds.

use crate::tidy::tree::Source;
use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let undocumented =
        subject.tree.rust_outside_tests().filter(|file| is_root(file) && !has_docs(&file.text));
    Ok(undocumented.map(|file| format!("{} doesn't begin with `//!`", file.path)).collect())
}

fn is_root(file: &Source) -> bool {
    matches!(file.file_name(), "lib.rs" | "main.rs" | "mod.rs")
        || file.path.contains("/src/bin/")
        || file.path.contains("/benches/")
}

pub(super) fn has_docs(text: &str) -> bool {
    text.starts_with("//!")
}
