use gridwright_emulator::{Finding, FindingKind, LaunchError, Report, Space};

use super::settings::Checked;
use crate::Error;

/// What a launch came to.
pub(super) enum Verdict {
    Ran,
    /// It didn't begin.
    NotLaunched(String),
    /// Told when it is waited for.
    Failed(Error),
}

/// What the emulator's result means. Reads of workgroup memory that nothing wrote are warnings: on a GPU they give whatever
/// is there, which every element's type allows.
pub(super) fn verdict(
    kernel: &'static str,
    result: Result<Report, LaunchError>,
    checked: Checked,
) -> Verdict {
    let (report, fault) = match result {
        Ok(report) => (report, None),
        Err(LaunchError::Fault { finding, report }) => (*report, Some(*finding)),
        Err(other) => return Verdict::NotLaunched(other.to_string()),
    };
    let (warnings, mut errors): (Vec<Finding>, Vec<Finding>) =
        report.findings.into_iter().partition(|finding| checked == Checked::Warn || is_warning(finding));
    for warning in warnings {
        eprintln!("warning: in kernel `{kernel}`: {warning}");
    }
    if let Some(fault) = fault
        && !errors.contains(&fault)
    {
        errors.push(fault);
    }
    if errors.is_empty() {
        return Verdict::Ran;
    }
    let findings = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Verdict::Failed(Error::KernelFault { kernel, findings })
}

fn is_warning(finding: &Finding) -> bool {
    matches!(&finding.kind, FindingKind::Uninitialised(access) if access.space == Space::Shared)
}
