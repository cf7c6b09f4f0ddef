//! Stage 1, *discover*: the package as cargo sees it → the targets that may hold kernels.
//!
//! A build script can't know which target is being compiled, so every target that holds kernels is
//! built. Which ones do is found by a text search along `mod`, not by compiling anything.

mod host_only;
pub(crate) mod libraries;
mod metadata;
mod names;
mod panics;
mod source;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use host_only::Tests;
pub(crate) use libraries::{Libraries, Library};
pub(crate) use metadata::{Dependency, Package, Target, load};
pub(crate) use names::Names;
pub(crate) use panics::Panic;

/// The package that every kernel uses.
pub(crate) const FACADE: &str = "gridwright";

/// What makes a source file one with kernels: the attribute, and the macro by which there are kernels of other crates.
const KERNELS: [&str; 2] = ["gpu_kernel", INSTANCE];

/// The second of them.
const INSTANCE: &str = "instance!";

/// The word without which none of a file's kernels says that products and sums stay apart.
const CONTRACTION: &str = "fp_contract";

/// What cargo sets for a package, and `env!` may name: of the host build, and not of the device package.
const VARIABLES: [&str; 17] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "CARGO_PKG_AUTHORS",
    "CARGO_PKG_DESCRIPTION",
    "CARGO_PKG_HOMEPAGE",
    "CARGO_PKG_LICENSE",
    "CARGO_PKG_LICENSE_FILE",
    "CARGO_PKG_NAME",
    "CARGO_PKG_README",
    "CARGO_PKG_REPOSITORY",
    "CARGO_PKG_RUST_VERSION",
    "CARGO_PKG_VERSION",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
    "OUT_DIR",
];

/// How the macros tell targets apart when they include a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TargetKind {
    /// Binaries and examples: cargo sets `CARGO_BIN_NAME`.
    Bin,
    /// Integration tests and benches: cargo sets `CARGO_TARGET_TMPDIR`.
    Test,
    /// The library.
    Lib,
}

impl TargetKind {
    /// The first part of the table's file name.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Test => "test",
            Self::Lib => "lib",
        }
    }
}

/// A target that macros may ask a table for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The target's name as the user wrote it.
    pub(crate) name: String,
    /// The target's name as a crate name: dashes are underscores.
    pub(crate) crate_name: String,
    /// Which kind of table it has.
    pub(crate) kind: TargetKind,
    /// Cargo's own word for it: `bin`, `example`, `test`, `bench`, `lib`, …
    pub(crate) cargo_kind: String,
    /// The root source file.
    pub(crate) root: PathBuf,
    /// The language edition.
    pub(crate) edition: String,
    /// Whether kernels were found in it.
    pub(crate) has_kernels: bool,
    /// Whether some of them may want an image in which products and sums stay apart.
    pub(crate) says_contraction: bool,
    /// Whether it makes instances of kernels that may be a library's.
    pub(crate) has_instances: bool,
    /// Whether it names the package's own library where the device build sees it.
    pub(crate) names_library: bool,
    /// The crates of dependencies that it names there.
    pub(crate) names: Names,
    /// Whether its device code is compiled with the cfg `test`.
    pub(crate) has_test: bool,
    /// Whether it stands for the unit tests of a library or a binary, which have a table of their own.
    pub(crate) is_unit_test: bool,
    /// The files of its modules, by their paths in the crate.
    pub(crate) modules: BTreeMap<String, PathBuf>,
    /// What panics take from its sources, by their files.
    pub(crate) panics: BTreeMap<PathBuf, Vec<Panic>>,
}

impl Candidate {
    /// What its table and its images are called, without the ending.
    pub(crate) fn stem(&self) -> String {
        let end = if self.is_unit_test { ".test" } else { "" };
        format!("{}-{}{end}", self.kind.prefix(), self.crate_name)
    }

    /// Whether it is the package's library itself.
    pub(crate) fn is_library(&self) -> bool {
        self.kind == TargetKind::Lib && !self.is_unit_test
    }

    /// What messages call it.
    pub(crate) fn title(&self) -> String {
        let tests = if self.is_unit_test { "tests of the " } else { "" };
        format!("{tests}{} `{}`", self.cargo_kind, self.name)
    }

    /// Whether cargo gives it the dev-dependencies as well.
    pub(crate) fn sees_dev_dependencies(&self) -> bool {
        self.is_unit_test || self.kind == TargetKind::Test || self.cargo_kind == "example"
    }
}

/// What this stage found.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// One for each table, in the order of their names.
    pub(crate) candidates: Vec<Candidate>,
    /// Tables that two targets with kernels would share, and a text that says so.
    pub(crate) collisions: BTreeMap<String, String>,
    /// Every source file that was read.
    pub(crate) files: BTreeSet<PathBuf>,
    /// The variables of the package that strings in them name.
    pub(crate) variables: BTreeSet<String>,
}

/// Looks for kernels in every target of the package.
pub(crate) fn targets(package: &Package) -> Discovery {
    let library = package.library().map(|t| t.name.replace('-', "_"));
    let crates: BTreeSet<String> = package.dependencies.iter().map(Dependency::crate_name).collect();
    let mut found = Discovery::default();
    let mut tables: BTreeMap<String, Candidate> = BTreeMap::new();
    let is_built =
        |target: &&Target| target.required_features.iter().all(|f| package.active_features.contains(f));
    for target in package.targets.iter().filter(is_built) {
        for candidate in candidates(target, library.as_deref(), &crates, &mut found) {
            let stem = candidate.stem();
            match tables.get(&stem) {
                Some(first) if first.has_kernels && candidate.has_kernels => {
                    found.collisions.entry(stem).or_insert_with(|| collision(first, &candidate));
                }
                Some(first) if first.has_kernels => {}
                _ => {
                    tables.insert(stem, candidate);
                }
            }
        }
    }
    found.candidates = tables.into_values().collect();
    found
}

/// A target, and its unit tests if those have kernels of their own.
fn candidates(
    target: &Target,
    library: Option<&str>,
    crates: &BTreeSet<String>,
    found: &mut Discovery,
) -> Vec<Candidate> {
    let Some(cargo_kind) = target.kind.first().cloned() else { return Vec::new() };
    let kind = match cargo_kind.as_str() {
        "bin" | "example" => TargetKind::Bin,
        "test" | "bench" => TargetKind::Test,
        "custom-build" | "proc-macro" => return Vec::new(),
        _ => TargetKind::Lib,
    };
    let words: Vec<&str> = KERNELS
        .into_iter()
        .chain([CONTRACTION])
        .chain(VARIABLES)
        .chain(library)
        .chain(crates.iter().map(String::as_str))
        .collect();
    let mut of = |sources: walk::Sources| {
        let is_named = |library| sources.device_words.contains(library);
        let variables = VARIABLES.into_iter().filter(|&name| sources.device_words.contains(name));
        found.variables.extend(variables.map(str::to_owned));
        found.files.extend(sources.files);
        Candidate {
            crate_name: target.name.replace('-', "_"),
            name: target.name.clone(),
            kind,
            cargo_kind: cargo_kind.clone(),
            root: target.src_path.clone(),
            edition: target.edition.clone(),
            has_kernels: has_kernels(&sources.words),
            says_contraction: sources.words.contains(CONTRACTION),
            has_instances: sources.words.contains(INSTANCE),
            names_library: kind != TargetKind::Lib && library.is_some_and(is_named),
            names: Names(sources.by_module),
            has_test: false,
            is_unit_test: false,
            modules: sources.modules,
            panics: sources.panics,
        }
    };
    let plain = walk::walk(&target.src_path, &words, Tests::Left);
    if !has_kernels(&plain.words) || cargo_kind == "example" {
        return vec![of(plain)];
    }
    let tests = walk::walk(&target.src_path, &words, Tests::Built);
    let (kernels, of_tests) = (plain.on_device, tests.on_device);
    if of_tests <= kernels {
        return vec![of(plain)];
    }
    if kind == TargetKind::Test {
        // It is compiled as a test program alone.
        return vec![Candidate { has_test: true, ..of(tests) }];
    }
    let plain = of(plain);
    let plain = Candidate { has_kernels: kernels > 0, ..plain };
    vec![plain, Candidate { has_test: true, is_unit_test: true, ..of(tests) }]
}

/// Whether a target's files have kernels.
fn has_kernels(words: &BTreeSet<String>) -> bool {
    KERNELS.iter().any(|&word| words.contains(word))
}

fn collision(first: &Candidate, second: &Candidate) -> String {
    format!(
        "the {} and the {} both hold GPU kernels, and their images can't be told apart: give one of them another name",
        first.title(),
        second.title()
    )
}
