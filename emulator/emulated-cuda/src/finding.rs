//! What becomes of the emulator's faults and findings.

use std::io::Write;

use gridwright_emulator::{FindingKind, LaunchError, Report};

use crate::error::Error;
use crate::settings::Checking;

/// The error that stays in the context, or none. Faults, and the checks' findings, are printed.
pub(crate) fn judge(ended: Result<Report, LaunchError>, checking: Checking) -> Result<(), Error> {
    match ended {
        Ok(report) => {
            let found = print(&report);
            if found && checking == Checking::Error { Err(Error::LAUNCH_FAILED) } else { Ok(()) }
        }
        Err(LaunchError::Fault { finding, report }) => {
            print(&report);
            say(&format!("error: {finding}"));
            Err(error(&finding.kind))
        }
        Err(other) => {
            say(&format!("error: {other}"));
            Err(Error::LAUNCH_FAILED)
        }
    }
}

/// Whether there is anything.
fn print(report: &Report) -> bool {
    for finding in &report.findings {
        say(&format!("warning: {finding}"));
    }
    !report.findings.is_empty()
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
