//! The environment of the inner cargo. The build script's own is full of what cargo says about the
//! *host* build, and all of it would leak into the device build or make it start afresh each time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::flags;
use crate::architecture::Architecture;
use crate::environment::{Environment, INNER};
use crate::toolchain::Toolchain;

const REMOVED: [&str; 21] = [
    "CARGO",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CARGO_TARGET_DIR",
    "DEBUG",
    "HOST",
    "LD_LIBRARY_PATH",
    "NUM_JOBS",
    "OPT_LEVEL",
    "OUT_DIR",
    "PROFILE",
    "RUSTC",
    "RUSTC_BOOTSTRAP",
    "RUSTC_LINKER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "TARGET",
];

/// `CARGO_MAKEFLAGS` stays: through it the inner cargo shares the outer one's job slots.
const REMOVED_PREFIXES: [&str; 9] = [
    "CARGO_BUILD_",
    "CARGO_CFG_",
    "CARGO_FEATURE_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "CARGO_UNSTABLE_",
    "DEP_",
];

/// The release profile in full: what is left out, the user's own cargo configuration could change.
const PROFILE: [(&str, &str); 10] = [
    ("CODEGEN_UNITS", "1"),
    ("DEBUG", "false"),
    ("DEBUG_ASSERTIONS", "false"),
    ("INCREMENTAL", "false"),
    ("LTO", "fat"),
    ("OPT_LEVEL", "3"),
    ("OVERFLOW_CHECKS", "false"),
    ("PANIC", "abort"),
    ("SPLIT_DEBUGINFO", "off"),
    ("STRIP", "none"),
];

/// The inherited variables that the inner cargo must not see.
pub(super) fn removed(environment: &Environment) -> Vec<OsString> {
    let must_go =
        |name: &str| REMOVED.contains(&name) || REMOVED_PREFIXES.iter().any(|p| name.starts_with(p));
    environment.names().filter(|name| must_go(&name.to_string_lossy())).map(Into::into).collect()
}

/// Where cargo looks for its configuration when it runs in `folder`.
pub(super) fn configuration(environment: &Environment, folder: &Path) -> Vec<PathBuf> {
    let home = environment.path("CARGO_HOME").or_else(|| Some(environment.home()?.join(".cargo")));
    let folders = folder.ancestors().map(|f| f.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name))).collect()
}

/// What the inner cargo gets instead.
pub(super) fn set(
    outer: &Environment,
    toolchain: &Toolchain,
    architecture: &Architecture,
    target_dir: &Path,
) -> BTreeMap<String, OsString> {
    let mut set: BTreeMap<String, OsString> = [
        (INNER, "1".into()),
        // Incremental compilation crashes the compiler on AMD's target.
        ("CARGO_INCREMENTAL", "0".into()),
        // This also overrides what a configuration file says.
        ("CARGO_ENCODED_RUSTFLAGS", flags::every_crate(architecture, outer).join("\u{1f}").into()),
        ("CARGO_BUILD_BUILD_DIR", target_dir.into()),
        // What it says is read, the compiler's command among it.
        ("CARGO_TERM_COLOR", "never".into()),
        // Cargo is started without rustup, which would have set these.
        ("RUSTC", toolchain.program("rustc").into()),
        ("RUSTDOC", toolchain.program("rustdoc").into()),
    ]
    .map(|(name, value): (&str, OsString)| (name.to_owned(), value))
    .into();
    set.extend(PROFILE.map(|(name, value)| (format!("CARGO_PROFILE_RELEASE_{name}"), value.into())));
    for wrapper in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
        // Cargo says here which wrapper it uses. An empty one overrides a configured one, but also makes
        // cargo ask the compiler about itself each time, 0.1 s, so it isn't set without need.
        if outer.get(wrapper).is_some() {
            set.insert(wrapper.to_owned(), OsString::new());
        }
    }
    if !toolchain.has_own_sources() {
        // Cargo's only way to take the library's sources from elsewhere.
        set.insert("__CARGO_TESTS_ONLY_SRC_ROOT".to_owned(), toolchain.library.clone().into());
    }
    set
}
