//! What a build says of kernels that cost more than they look.

use std::collections::BTreeMap;

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

#[cfg(test)]
mod tests {
    use super::{Cost, Notes, of_profile};
    use crate::environment::Environment;

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
