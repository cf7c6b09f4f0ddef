use gridwright_emulator::{Finding, FindingKind, LaunchError, Report, Space};

use super::settings::Checked;
use crate::Error;

/// The outcome of a launch.
pub(super) enum Verdict {
    Ran,
    /// The launch didn't begin.
    NotLaunched(String),
    /// The launch failed, which is told when it is waited for.
    Failed(Error),
}

/// The meaning of the emulator's result. Reads of workgroup memory that nothing wrote are warnings: on a GPU
/// they give whatever is there, which every element's type allows. Where a thread has panicked, all that
/// checks find may follow from what it left undone: then the panic is the error, and that the thread is
/// missing isn't told.
pub(super) fn verdict(
    kernel: &'static str,
    result: Result<Report, LaunchError>,
    checked: Checked,
    has_panicked: bool,
) -> Verdict {
    let (mut report, fault) = match result {
        Ok(report) => (report, None),
        Err(LaunchError::Fault { finding, report }) => (*report, Some(*finding)),
        Err(other) => return Verdict::NotLaunched(other.to_string()),
    };
    report.findings.retain(|finding| !has_panicked || !is_missing(finding));
    let are_warnings = checked == Checked::Warn || has_panicked;
    let (warnings, mut errors): (Vec<Finding>, Vec<Finding>) =
        report.findings.into_iter().partition(|finding| are_warnings || is_warning(finding));
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

/// Whether a finding says that a thread isn't there.
fn is_missing(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::ExitedMembers { .. } | FindingKind::InactiveSource { .. })
}
