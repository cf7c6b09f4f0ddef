//! Which of our crates may depend on which. A new edge is a decision: it is made here.

use crate::tidy::{Findings, Subject};

/// The facade: everybody's doc tests may be written as users write.
const FACADE: &str = "gridwright";

/// A crate, and what it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gridwright-core", &[]),
    ("gridwright-image", &[]),
    ("gridwright-derive", &["gridwright-core", "gridwright-image"]),
    ("gridwright-cpu", &["gridwright-core"]),
    ("gridwright-math", &["gridwright-core"]),
    ("gridwright-device", &["gridwright-core", "gridwright-cpu", "gridwright-math"]),
    (
        "gridwright-host",
        &[
            "gridwright-core",
            "gridwright-cpu",
            "gridwright-device",
            "gridwright-emulator",
            "gridwright-image",
        ],
    ),
    ("gridwright-build", &["gridwright-image"]),
    ("gridwright-emulator", &[]),
    ("gridwright-emulated-driver", &[]),
    ("gridwright-emulated-cuda", &["gridwright-emulated-driver", "gridwright-emulator"]),
    ("gridwright-emulated-nccl", &["gridwright-emulated-cuda", "gridwright-emulated-driver"]),
    ("gridwright-amd-emulator-client", &[]),
    ("gridwright-emulated-hip", &["gridwright-amd-emulator-client", "gridwright-emulated-driver"]),
    (FACADE, &["gridwright-core", "gridwright-derive", "gridwright-device", "gridwright-host"]),
    (
        "gridwright-examples",
        &[
            FACADE,
            "gridwright-amd-emulator-client",
            "gridwright-build",
            "gridwright-core",
            "gridwright-host",
            "gridwright-primitives",
        ],
    ),
    ("gridwright-races", &[FACADE, "gridwright-build", "gridwright-examples", "gridwright-measured"]),
    ("gridwright-kernel-library", &[FACADE]),
    ("gridwright-kernel-user", &[FACADE, "gridwright-build", "gridwright-kernel-library"]),
    ("gridwright-primitives", &[FACADE, "gridwright-build", "gridwright-core", "gridwright-cpu"]),
    ("gridwright-measured", &[FACADE]),
    ("gridwright-comm", &[FACADE]),
    ("gridwright-distributed", &[FACADE, "gridwright-build", "gridwright-comm", "gridwright-primitives"]),
    ("gridwright-interop", &[FACADE, "gridwright-build"]),
    ("gridwright-browser", &[FACADE]),
    ("gridwright-hopper", &["gridwright-build"]),
    ("gridwright-hostile", &["gridwright-build", "gridwright-hostile-attribute"]),
    ("gridwright-hostile-attribute", &[]),
    ("gridwright-plugin", &[FACADE, "gridwright-build"]),
    ("gridwright-python", &[FACADE, "gridwright-build"]),
    ("gridwright-book", &[]),
    ("gridwright-puzzles", &[FACADE, "gridwright-build"]),
    ("gridwright-primitives-races", &[FACADE, "gridwright-measured", "gridwright-primitives"]),
    ("cargo-gridwright", &[FACADE, "gridwright-build", "gridwright-image"]),
    ("xtask", &["gridwright-build"]),
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let packages = &subject.workspace.metadata.packages;
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut findings = Findings::new();
    for package in packages {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| package.name == *name) else {
            findings.push(format!("{} isn't in the table of {}", package.name, file!()));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| ours(&dependency.name)) {
            let for_tests = dependency.kind == cargo_metadata::DependencyKind::Development;
            let name = dependency.name.as_str();
            let is_allowed = allowed.contains(&name) || (for_tests && name == FACADE);
            if !is_allowed {
                findings.push(format!("{} may not depend on {name}", package.name));
            }
        }
    }
    Ok(findings)
}
