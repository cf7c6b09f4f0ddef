use gridwright_emulator::{Approximations, Checks};

use crate::Error;
use crate::environment;

/// What becomes of the checks' findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// The checks look for nothing but what ends a launch.
    Off,
    /// A finding is written to standard error.
    Warn,
    /// A finding is an error of the launch.
    Error,
}

impl Checked {
    pub(super) fn checks(self) -> Checks {
        if self == Self::Off { Checks::NONE } else { Checks::ALL }
    }
}

/// `GRIDWRIGHT_EMULATOR_CHECKS`; findings are errors where it says nothing.
pub(super) fn checked() -> Result<Checked, Error> {
    environment::parse(
        "GRIDWRIGHT_EMULATOR_CHECKS",
        Checked::Error,
        |value| match value {
            "off" => Some(Checked::Off),
            "warn" => Some(Checked::Warn),
            "error" => Some(Checked::Error),
            _ => None,
        },
        || "`off`, `warn` or `error`".into(),
    )
}

/// `GRIDWRIGHT_EMULATOR_APPROXIMATIONS`: what approximate instructions give; the nearest results where it says nothing.
pub(super) fn approximations() -> Result<Approximations, Error> {
    environment::parse(
        "GRIDWRIGHT_EMULATOR_APPROXIMATIONS",
        Approximations::Nearest,
        |value| match value {
            "nearest" => Some(Approximations::Nearest),
            "above" => Some(Approximations::Above),
            "below" => Some(Approximations::Below),
            _ => None,
        },
        || "`nearest`, `above` or `below`".into(),
    )
}
