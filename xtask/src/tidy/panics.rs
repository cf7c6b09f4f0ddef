//! Where a panic would be a bug report: no `unwrap`, no `expect`, not even allowed ones.

use proc_macro2::TokenTree;

use crate::tidy::code::{is_ident, is_punct, line, walk};
use crate::tidy::tree::Source;
use crate::tidy::{Findings, Subject};

const FOLDERS: &[&str] = &[
    "host/src/",
    "kernel-build/src/",
    "kernel-derive/src/",
    "emulator/src/",
    "emulator/amd-emulator-client/src/",
    "emulator/emulated-cuda/src/",
    "emulator/emulated-driver/src/",
    "emulator/emulated-hip/src/",
    "emulator/emulated-nccl/src/",
    "cli/src/",
    "comm/src/",
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    let sources = subject.tree.rust_outside_tests();
    for source in sources.filter(|file| FOLDERS.iter().any(|folder| file.path.starts_with(folder))) {
        for line in unwrapped(source)? {
            findings.push(format!("{}:{line}: `unwrap` or `expect`", source.path));
        }
    }
    Ok(findings)
}

/// The lines of `.unwrap()` and `.expect(…)`.
pub(super) fn unwrapped(source: &Source) -> anyhow::Result<Vec<usize>> {
    let mut lines = Vec::new();
    walk(source, |tokens| {
        if let [dot, method, TokenTree::Group(_), ..] = tokens
            && is_punct(dot, '.')
            && (is_ident(method, "unwrap") || is_ident(method, "expect"))
        {
            lines.push(line(method));
        }
    })?;
    Ok(lines)
}
