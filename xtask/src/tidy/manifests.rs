//! What every manifest says.

use crate::tidy::{Findings, Subject};

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
    Ok(findings)
}
