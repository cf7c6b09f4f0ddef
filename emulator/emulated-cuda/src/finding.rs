//! What becomes of the emulator's faults and findings.

use std::io::Write;

use gridwright_emulator::{Finding, FindingKind, LaunchError, Report};

use crate::error::Error;
use crate::finding_json::Target;
use crate::settings::{Checking, Settings};

/// The error that stays in the context, or none. Faults, and the checks' findings, are told.
pub(crate) fn judge(ended: Result<Report, LaunchError>, settings: &Settings) -> Result<(), Error> {
    let json = settings.findings.as_ref();
    match ended {
        Ok(report) => {
            let found = tell_all(&report, json);
            if found && settings.checking == Checking::Error { Err(Error::LAUNCH_FAILED) } else { Ok(()) }
        }
        Err(LaunchError::Fault { finding, report }) => {
            tell_all(&report, json);
            tell(&finding, "error", json);
            Err(error(&finding.kind))
        }
        Err(other) => {
            say(&format!("error: {other}"));
            Err(Error::LAUNCH_FAILED)
        }
    }
}

/// Whether there is anything.
fn tell_all(report: &Report, json: Option<&Target>) -> bool {
    for finding in &report.findings {
        tell(finding, "warning", json);
    }
    !report.findings.is_empty()
}

fn tell(finding: &Finding, severity: &str, json: Option<&Target>) {
    if let Some(target) = json {
        target.write(finding, severity);
    }
    if json != Some(&Target::StandardError) {
        say(&format!("{severity}: {finding}"));
    }
}

fn say(text: &str) {
    // Nobody reads it: then there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "gridwright emulator: {text}");
}

/// What hardware answers for a fault.
fn error(kind: &FindingKind) -> Error {
    match kind {
        FindingKind::OutOfBounds(_) | FindingKind::UseAfterFree(_) | FindingKind::ReadOnly(_) => {
            Error::ILLEGAL_ADDRESS
        }
        FindingKind::Misaligned(_) => Error::MISALIGNED_ADDRESS,
        FindingKind::Assertion { .. } => Error::ASSERT,
        FindingKind::IllegalCall { .. } => Error::INVALID_PC,
        FindingKind::StackOverflow { .. } => Error::HARDWARE_STACK_ERROR,
        FindingKind::InstructionLimit { .. } | FindingKind::Deadlock { .. } => Error::LAUNCH_TIMEOUT,
        _ => Error::LAUNCH_FAILED,
    }
}
