//! Follows `mod name;` from a root file through the folders, by the language's own rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::host_only::Tests;
use super::panics::Panic;
use super::source::{self, Module};

/// The files of one target, and which of the words asked for occur in them.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) files: BTreeSet<PathBuf>,
    pub(super) words: BTreeSet<String>,
    /// Which of the words asked for occur where the device build sees them.
    pub(super) device_words: BTreeSet<String>,
    /// What the device build sees of the words, by the paths of the modules that they stand in; the root's is empty.
    pub(super) by_module: BTreeMap<String, BTreeSet<String>>,
    /// How often the first of them occurs there.
    pub(super) on_device: usize,
    /// The files of its modules, by their paths in the crate, such as `filters::gpu`.
    pub(super) modules: BTreeMap<String, PathBuf>,
    /// By their files, which are the device's as well.
    pub(super) panics: BTreeMap<PathBuf, Vec<Panic>>,
}

/// Reads the root file and every module file under it. Files that can't be read are left out: the
/// compiler says so better.
pub(super) fn walk(root: &Path, words: &[&str], tests: Tests) -> Sources {
    let mut sources = Sources::default();
    // A file, whether its modules lie in its own folder (root files, `mod.rs`, `#[path]`), whether it is the host's alone, and its path
    // in the crate.
    let mut waiting = vec![(root.to_owned(), true, false, Vec::new())];
    let mut on_device = BTreeSet::new();
    while let Some((file, owns_folder, is_host_only, path)) = waiting.pop() {
        // A file that the host has first may be a module of the device's as well.
        let seen = if is_host_only { &sources.files } else { &on_device };
        if seen.contains(&file) {
            continue;
        }
        let Ok(text) = fs::read(&file) else { continue };
        let outline = source::outline(&String::from_utf8_lossy(&text), words, tests);
        let beside = file.parent().unwrap_or(Path::new("")).to_owned();
        let below =
            if owns_folder { beside.clone() } else { beside.join(file.file_stem().unwrap_or_default()) };
        for module in &outline.modules {
            let is_host_only = is_host_only || module.is_host_only;
            let files = module_files(module, &beside, &below);
            let path: Vec<String> =
                path.iter().chain(&module.inside).chain([&module.name]).cloned().collect();
            let files = files.into_iter();
            waiting.extend(files.map(|(file, owns_folder)| (file, owns_folder, is_host_only, path.clone())));
        }
        // An included text's own modules are looked for beside it; good enough for a search.
        let included =
            outline.includes.iter().map(|name| (beside.join(name), true, is_host_only, path.clone()));
        waiting.extend(included);
        sources.words.extend(outline.words);
        if !is_host_only {
            on_device.insert(file.clone());
            sources
                .by_module
                .entry(path.join("::"))
                .or_default()
                .extend(outline.device_words.iter().cloned());
            sources.device_words.extend(outline.device_words);
            sources.on_device += outline.on_device;
            if !outline.panics.is_empty() {
                sources.panics.insert(file.clone(), outline.panics);
            }
        }
        if !path.is_empty() {
            sources.modules.entry(path.join("::")).or_insert_with(|| file.clone());
        }
        sources.files.insert(file);
    }
    sources
}

/// Where a module's text may be. `beside` is the folder of the declaring file, `below` the one that
/// its modules live in.
fn module_files(module: &Module, beside: &Path, below: &Path) -> Vec<(PathBuf, bool)> {
    let inner = module.inside.iter().fold(below.to_owned(), |folder, name| folder.join(name));
    if let Some(path) = &module.path {
        // Outside of inline modules `#[path]` counts from the declaring file, inside from their folder.
        let folder = if module.inside.is_empty() { beside } else { &inner };
        return vec![(folder.join(path), true)];
    }
    vec![(inner.join(format!("{}.rs", module.name)), false), (inner.join(&module.name).join("mod.rs"), true)]
}
