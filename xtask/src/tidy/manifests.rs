//! What every manifest says, and what a crate has that is published.

use cargo_metadata::{DependencyKind, Package};

use crate::tidy::{Findings, Subject};
use crate::workspace::PUBLISHED_FILES;

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for package in &subject.workspace.metadata.packages {
        let fields = [
            ("license", package.license.is_some()),
            ("rust-version", package.rust_version.is_some()),
            ("description", package.description.is_some()),
        ];
        for (field, _) in fields.iter().filter(|(_, present)| !present) {
            findings.push(format!("{} has no {field}", package.name));
        }
    }
    findings.extend(subject.workspace.published().flat_map(of_published));
    Ok(findings)
}

/// What a package lacks that the registry or docs.rs wants.
fn of_published(package: &Package) -> Findings {
    let name = &package.name;
    let folder = package.manifest_path.with_file_name("");
    let missing = PUBLISHED_FILES.iter().filter(|file| !folder.join(file).is_file());
    let mut findings: Findings = missing.map(|file| format!("{name} is published without {file}")).collect();
    if package.repository.is_none() {
        findings.push(format!("{name} has no repository"));
    }
    if package.metadata.pointer("/docs/rs").is_none() {
        findings.push(format!("{name} has no [package.metadata.docs.rs]"));
    }
    // A path leads nowhere from a package.
    let shipped = package.dependencies.iter().filter(|of| of.kind != DependencyKind::Development);
    let unversioned = shipped.filter(|of| of.req.comparators.is_empty());
    findings.extend(unversioned.map(|of| format!("{name} asks for no version of {}", of.name)));
    findings
}
