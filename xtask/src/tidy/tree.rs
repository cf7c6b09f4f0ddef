//! The text files of the repository.

use std::fmt::Display;
use std::path::Path;

use anyhow::ensure;
use fs_err as fs;
use itertools::Itertools;
use walkdir::{DirEntry, WalkDir};

use crate::call::Call;
use crate::tidy::Findings;

/// A text file.
pub(super) struct Source {
    /// Path from the repository's root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// Whether the file is a test, or text that a test expects.
    pub(super) is_test: bool,
}

pub(super) struct Tree {
    pub(super) files: Vec<Source>,
}

impl Tree {
    /// What git tracks, and what it would track after `git add`. Without git, everything outside `target`
    /// and hidden folders.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut paths = listed(root).or_else(|_| walked(root))?;
        paths.sort();
        paths.dedup();
        // A file may be listed and already gone, or not be text.
        let read =
            |path: String| fs::read_to_string(root.join(&path)).ok().map(|text| Source::new(path, text));
        let mut files: Vec<Source> = paths.into_iter().filter_map(read).collect();
        let modules: Vec<String> = files.iter().flat_map(Source::test_modules).collect();
        for file in &mut files {
            file.is_test |= modules.contains(&file.path);
        }
        Ok(Self { files })
    }

    pub(super) fn rust(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }

    /// The Rust that is shipped or run: no tests, and nothing that is expected to be wrong.
    pub(super) fn rust_outside_tests(&self) -> impl Iterator<Item = &Source> {
        self.rust().filter(|file| !file.is_test)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl Source {
    pub(super) fn new(path: String, text: String) -> Self {
        let is_test = path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "expected"));
        Self { path, text, is_test }
    }

    /// The files of the modules that are declared here for tests only.
    pub(super) fn test_modules(&self) -> Vec<String> {
        let name = self.file_name();
        let folder = match name {
            "lib.rs" | "main.rs" | "mod.rs" => self.path.trim_end_matches(name).to_owned(),
            _ => format!("{}/", self.path.trim_end_matches(".rs")),
        };
        let lines = self.text.lines().map(str::trim);
        let declarations = lines.clone().zip(lines.skip(1)).filter(|(above, _)| *above == "#[cfg(test)]");
        let names = declarations.filter_map(|(_, line)| line.split_once("mod ")?.1.strip_suffix(';'));
        names.map(|name| format!("{folder}{name}.rs")).collect()
    }

    pub(super) fn file_name(&self) -> &str {
        self.path.rsplit_once('/').map_or(&self.path, |(_, name)| name)
    }
}

fn listed(root: &Path) -> anyhow::Result<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Call::in_folder(root, "git").arguments(arguments).output()?;
    ensure!(output.status.success(), "git ls-files: {}", output.status);
    let paths = String::from_utf8(output.stdout)?;
    Ok(paths.split('\0').filter(|path| !path.is_empty()).map(Into::into).collect())
}

fn walked(root: &Path) -> anyhow::Result<Vec<String>> {
    let is_kept = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
        entry.depth() == 0 || !entry.file_type().is_dir() || name != "target" && !is_hidden
    };
    let entries = WalkDir::new(root).into_iter().filter_entry(is_kept);
    let files = entries.filter_ok(|entry| !entry.file_type().is_dir()).map(|entry| {
        let path = entry?.into_path();
        let mut parts = path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy());
        Ok(parts.join("/"))
    });
    files.collect()
}

/// What is wrong with lines of files, and where.
pub(super) fn find_in_lines<'s, W: Display>(
    files: impl Iterator<Item = &'s Source>,
    wrong: impl Fn(&str) -> Option<W>,
) -> Findings {
    let mut findings = Findings::new();
    for Source { path, text, .. } in files {
        let found = (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, wrong(line)?)));
        findings.extend(found.map(|(number, wrong)| format!("{path}:{number}: {wrong}")));
    }
    findings
}
