//! The text files of the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

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
        let mut paths = match listed(root) {
            Ok(paths) => paths,
            Err(_) => walked(root, "")?,
        };
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
        let folder = match self.file_name() {
            "lib.rs" | "main.rs" | "mod.rs" => {
                self.path.strip_suffix(self.file_name()).unwrap_or_default().into()
            }
            _ => self.path.strip_suffix(".rs").map_or_else(String::new, |path| format!("{path}/")),
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
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let output = git.output().context("can't start git")?;
    if !output.status.success() {
        bail!("git ls-files: {}", output.status);
    }
    let paths = String::from_utf8(output.stdout)?;
    Ok(paths.split('\0').filter(|path| !path.is_empty()).map(Into::into).collect())
}

fn walked(root: &Path, folder: &str) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if !entry.file_type()?.is_dir() {
            paths.push(path);
        } else if name != "target" && (!name.starts_with('.') || name == ".ci" || name == ".cargo") {
            paths.extend(walked(root, &path)?);
        }
    }
    Ok(paths)
}
