//! What the runtime's statuses mean.

use std::ffi::CStr;

use super::api::{Runtime, Text};
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::api::Call;

pub(super) const INVALID_CONFIGURATION: Status = Status(9);
pub(super) const NO_DEVICE: Status = Status(100);
pub(super) const INVALID_DEVICE: Status = Status(101);
const LAUNCH_FAILURE: Status = Status(719);

/// Statuses after which nothing works any more: `hipErrorDeinitialized`, `ECCNotCorrectable`,
/// `IllegalAddress`, `LaunchTimeOut`, `ContextIsDestroyed`, `Assert`, `LaunchFailure` and `Unknown`. Most
/// often the runtime ends the process then.
const FATAL: [Status; 8] =
    [Status(4), Status(214), Status(700), Status(702), Status(709), Status(710), LAUNCH_FAILURE, Status(999)];

/// Whether all later calls fail too after a status.
pub(super) fn is_fatal(status: Status) -> bool {
    FATAL.contains(&status)
}

/// What to do where a launch is refused.
pub(super) fn remedy(status: Status) -> Option<&'static str> {
    match status {
        Status::OUT_OF_RESOURCES => Some(
            ": its threads need more registers than a workgroup of this size has; give it a smaller block",
        ),
        Status::TOO_LARGE => Some(": launch fewer or smaller workgroups"),
        INVALID_CONFIGURATION => {
            Some(": along an axis there can be at most 4294967295 threads, those of all workgroups together")
        }
        // Of a launch itself, which hasn't begun.
        LAUNCH_FAILURE => Some(": the kernel was compiled for smaller workgroups; give it a smaller block"),
        Status::INVALID_VALUE => Some(""),
        _ => None,
    }
}

/// The runtime's words for a status: `out of memory (hipErrorOutOfMemory)`.
pub(super) fn text(runtime: &Runtime, status: Status) -> String {
    let say = |ask: Call<Text>| {
        // SAFETY: any number is taken.
        let text = unsafe { (ask.call)(status.0) };
        // SAFETY: a text of the runtime's, which ends with a zero and stays.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    match (say(runtime.error_string), say(runtime.error_name)) {
        (Some(words), Some(name)) => format!("{words} ({name}, {})", status.0),
        _ => format!("error {}", status.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{INVALID_CONFIGURATION, LAUNCH_FAILURE, Status, is_fatal, remedy};

    #[test]
    fn failures_of_kernels_are_fatal_and_those_of_calls_are_not() {
        assert!(is_fatal(Status(700)) && is_fatal(LAUNCH_FAILURE));
        assert!(!is_fatal(Status::OUT_OF_MEMORY) && !is_fatal(Status::INVALID_VALUE));
        assert!(!is_fatal(Status::SUCCESS) && !is_fatal(Status::NOT_READY));
    }

    #[test]
    fn a_refused_launch_says_what_to_do() {
        assert!(remedy(INVALID_CONFIGURATION).is_some_and(|text| text.contains("along an axis")));
        assert!(remedy(Status(700)).is_none());
    }
}
