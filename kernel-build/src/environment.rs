//! The process's environment as data: stages take it as an input, so that tests can choose it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Set for everything that the inner cargo runs, so that a dependency's build script doesn't start
/// a device build of its own.
pub(crate) const INNER: &str = "GRIDWRIGHT_INNER";

/// The variables that the build script's result depends on.
pub(crate) const WATCHED: [&str; 13] = [
    "DOCS_RS",
    "GRIDWRIGHT_ARCHITECTURES",
    "GRIDWRIGHT_CPU_CODE",
    "GRIDWRIGHT_DEBUG_CHECKS",
    "GRIDWRIGHT_MACHINE_CODE",
    "GRIDWRIGHT_NOTES",
    "GRIDWRIGHT_NO_MATRIX_UNITS",
    "GRIDWRIGHT_PTXAS",
    "GRIDWRIGHT_REQUIRE_DEVICE",
    "GRIDWRIGHT_RUST_SRC",
    "GRIDWRIGHT_SKIP_DEVICE",
    "GRIDWRIGHT_TEST_KERNELS",
    "GRIDWRIGHT_TOOLCHAIN",
];

/// A set of environment variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The variables of this process.
    pub(crate) fn of_process() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// The value of a variable; an empty one counts as not set.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|v| !v.is_empty())
    }

    /// The value of a variable as a path; an empty one counts as not set.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from)
    }

    /// The user's folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.path(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
    }

    /// Whether a switch is on: set, not empty and not `0`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|v| v != "0")
    }

    /// Whether the variable is there at all, be it empty.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.variables.contains_key(OsStr::new(name))
    }

    /// Every variable's name.
    pub(crate) fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.variables.keys().map(OsString::as_os_str)
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self { variables: pairs.map(|(n, v)| (n.into(), v.into())).into_iter().collect() }
    }
}
