//! What a build says of kernels that cost more than they look.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::environment::Environment;

/// Why a kernel is slower than its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cost {
    /// An array that is indexed by what is known only when the kernel runs.
    IndexedArray,
    /// Values for which there were no registers.
    Spill,
}

/// The costs of kernels, with bytes of a thread and the architectures that have them.
#[derive(Debug, Default)]
pub(crate) struct Notes(BTreeMap<(String, Cost), (u64, Vec<String>)>);

impl Notes {
    /// Notes that a kernel keeps some bytes in local memory.
    pub(crate) fn add(&mut self, kernel: &str, cost: Cost, bytes: u64, architecture: &str) {
        let (most, architectures) = self.0.entry((kernel.to_owned(), cost)).or_default();
        *most = bytes.max(*most);
        if !architectures.iter().any(|known| known == architecture) {
            architectures.push(architecture.to_owned());
        }
    }

    /// Takes what was noted elsewhere.
    pub(crate) fn merge(&mut self, others: Self) {
        for ((kernel, cost), (bytes, architectures)) in others.0 {
            architectures.iter().for_each(|architecture| self.add(&kernel, cost, bytes, architecture));
        }
    }

    /// A warning for each kernel and cost.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.0.iter().map(|((kernel, cost), (bytes, architectures))| {
            let why = match cost {
                Cost::IndexedArray => {
                    "for an array that is indexed by what is known only when it runs: loop over it with bounds that are constant, or \
                     keep it in workgroup memory"
                }
                Cost::Spill => {
                    "for want of registers: keep fewer values at a time, or ask for smaller workgroups by `block`"
                }
            };
            Diagnostic::warning(format!(
                "note: on {} each thread of `{kernel}` has {bytes} bytes in local memory, which is as slow as global memory, {why} \
                 (`notes = false` in [package.metadata.gridwright] says no such things)",
                architectures.join(", ")
            ))
        })
    }
}

/// A warning where the profile has kernels for the CPU compiled without optimisation: vectors are made by it, and calls vanish.
pub(crate) fn of_profile(environment: &Environment) -> Option<Diagnostic> {
    let is_plain = environment.get("OPT_LEVEL").is_some_and(|level| level == "0");
    is_plain.then(|| {
        Diagnostic::warning(
            "note: the profile compiles kernels for the CPU without optimisation, by which they take a hundred times as long and more: \
             say `opt-level = 3` under [profile.dev] in the workspace's Cargo.toml (`notes = false` in [package.metadata.gridwright] \
             says no such things)",
        )
    })
}

/// A warning where kernels of the sources may be compiled apart from closures that they call.
///
/// rustc puts the closures of `array::map` and `array::from_fn`, which the standard library calls by functions without `#[inline]`, in
/// another unit than the kernel. Cargo tells a build script nothing of units: what is looked for is the word.
pub(crate) fn of_units(
    environment: &Environment,
    workspace: &Path,
    sources: &BTreeSet<PathBuf>,
) -> Option<Diagnostic> {
    let text = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
    let is_said = |path: PathBuf| text(path).contains("codegen-units");
    let is_in_environment = ["CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "CARGO_PROFILE_DEV_CODEGEN_UNITS"]
        .iter()
        .any(|variable| environment.get(variable).is_some());
    let calls_closures = |path: &PathBuf| {
        let text = text(path.clone());
        text.contains("gpu_kernel") && (text.contains("].map(") || text.contains("from_fn("))
    };
    let is_noted = sources.iter().any(calls_closures)
        && !is_in_environment
        && !is_said(workspace.join("Cargo.toml"))
        && !workspace.ancestors().any(|folder| is_said(folder.join(".cargo/config.toml")));
    is_noted.then(|| {
        Diagnostic::warning(
            "note: where a crate is compiled in several units, kernels for the CPU call the closures of `array::map` and `array::from_fn` \
             for each thread, and may take 70 times as long: say `codegen-units = 1` under [profile.release] and [profile.dev] in the \
             workspace's Cargo.toml (`notes = false` in [package.metadata.gridwright] says no such things)",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::{Cost, Notes, of_profile, of_units};
    use crate::environment::Environment;
    use crate::tests::Folder;

    #[test]
    fn closures_of_arrays_in_several_units_are_noted() {
        let folder = Folder::new("units");
        let folder = folder.path();
        let manifest = |text: &str| fs::write(folder.join("Cargo.toml"), text).unwrap();
        let sources = |text: &str| {
            let source = folder.join("main.rs");
            fs::write(&source, text).unwrap();
            BTreeSet::from([source])
        };
        let noted = |sources: &_, environment: &_| of_units(environment, folder, sources).is_some();
        let plain = Environment::default();
        let sources_without = sources("#[gpu_kernel] fn f() { x.iter().map(g); }");
        manifest("[workspace]");
        assert!(!noted(&sources_without, &plain));
        let sources = sources("#[gpu_kernel] fn f() { [0, 2].map(g); }");
        assert!(noted(&sources, &plain));
        let said = Environment::from([("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")]);
        assert!(!noted(&sources, &said));
        manifest("[profile.release]\ncodegen-units = 1");
        assert!(!noted(&sources, &plain));
        manifest("[workspace]");
        fs::create_dir(folder.join(".cargo")).unwrap();
        fs::write(folder.join(".cargo/config.toml"), "profile.release.codegen-units = 1").unwrap();
        assert!(!noted(&sources, &plain));
    }

    #[test]
    fn a_build_without_optimisation_is_noted() {
        let noted = |level| of_profile(&Environment::from([("OPT_LEVEL", level)])).is_some();
        assert!(noted("0") && !noted("1") && !noted("s"));
        assert!(of_profile(&Environment::default()).is_none());
    }

    #[test]
    fn a_kernel_is_noted_once_with_its_architectures() {
        let mut notes = Notes::default();
        notes.add("sort", Cost::IndexedArray, 32, "sm_80");
        notes.add("sort", Cost::IndexedArray, 48, "gfx942");
        notes.add("sort", Cost::IndexedArray, 32, "sm_80");
        notes.add("fft", Cost::Spill, 8, "gfx942");
        let texts: Vec<String> = notes.diagnostics().map(|note| note.message).collect();
        assert_eq!(texts.len(), 2);
        assert!(
            texts[0].starts_with("note: on gfx942 each thread of `fft` has 8 bytes")
                && texts[0].contains("registers")
        );
        assert!(
            texts[1].starts_with("note: on sm_80, gfx942 each thread of `sort` has 48 bytes")
                && texts[1].contains("array")
        );
    }
}
