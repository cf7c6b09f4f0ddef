//! A program is built as a test if it has unit tests, and only then: a build more of each example takes minutes.

use cargo_metadata::TargetKind;

use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    let targets = subject.workspace.metadata.packages.iter().flat_map(|package| &package.targets);
    for target in targets.filter(|target| target.kind.contains(&TargetKind::Bin)) {
        let path = target.src_path.strip_prefix(&subject.workspace.root)?.as_str();
        let is_its =
            |file: &str| path.strip_suffix("main.rs").map_or(file == path, |folder| file.starts_with(folder));
        let has_tests = subject.tree.rust().any(|file| is_its(&file.path) && has_tests(&file.text));
        findings.extend(finding(path, has_tests, target.test));
    }
    Ok(findings)
}

pub(super) fn has_tests(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "#[test]")
}

pub(super) fn finding(path: &str, has_tests: bool, is_tested: bool) -> Option<String> {
    match (has_tests, is_tested) {
        (true, false) => Some(format!("{path} has tests, which never run: its manifest says `test = false`")),
        (false, true) => Some(format!("{path} has no tests: its manifest is to say `test = false`")),
        _ => None,
    }
}
