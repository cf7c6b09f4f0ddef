//! Which of our crates may depend on which. A new edge is a decision: it is made here.

use crate::tidy::{Findings, Subject};

/// The facade: everybody's doc tests may be written as users write.
const FACADE: &str = "gridwright";

/// A crate, and what it may depend on, without the `gridwright-` before their names.
const ALLOWED: &[(&str, &str)] = &[
    ("core", ""),
    ("image", ""),
    ("derive", "core image"),
    ("cpu", "core"),
    ("math", "core"),
    ("device", "core cpu math"),
    ("host", "core cpu device emulator image"),
    ("build", "image"),
    ("emulator", ""),
    ("emulated-driver", ""),
    ("emulated-cuda", "emulated-driver emulator"),
    ("emulated-nccl", "emulated-cuda emulated-driver"),
    ("amd-emulator-client", ""),
    ("emulated-hip", "amd-emulator-client emulated-driver"),
    ("gridwright", "core derive device host"),
    ("examples", "gridwright amd-emulator-client build core host primitives"),
    ("races", "gridwright build examples measured"),
    ("kernel-library", "gridwright"),
    ("kernel-user", "gridwright build kernel-library"),
    ("primitives", "gridwright build core cpu"),
    ("measured", "gridwright"),
    ("comm", "gridwright"),
    ("distributed", "gridwright build comm primitives"),
    ("interop", "gridwright build"),
    ("bits", "gridwright examples"),
    ("browser", "gridwright"),
    ("hopper", "build"),
    ("hostile", "build hostile-attribute"),
    ("hostile-attribute", ""),
    ("plugin", "gridwright build"),
    ("python", "gridwright build"),
    ("book", ""),
    ("puzzles", "gridwright build"),
    ("primitives-races", "gridwright measured primitives"),
    ("cargo-gridwright", "gridwright build image"),
    ("xtask", "build"),
];

fn short(name: &str) -> &str {
    name.strip_prefix("gridwright-").unwrap_or(name)
}

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let packages = &subject.workspace.metadata.packages;
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut findings = Findings::new();
    for package in packages {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| short(&package.name) == *name) else {
            findings.push(format!("{} isn't in the table of {}", package.name, file!()));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| ours(&dependency.name)) {
            let for_tests = dependency.kind == cargo_metadata::DependencyKind::Development;
            let name = dependency.name.as_str();
            let is_listed = allowed.split(' ').any(|allowed| allowed == short(name));
            let is_allowed = is_listed || for_tests && name == FACADE;
            if !is_allowed {
                findings.push(format!("{} may not depend on {name}", package.name));
            }
        }
    }
    Ok(findings)
}
