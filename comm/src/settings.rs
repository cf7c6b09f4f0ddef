//! Environment variables that this crate reads.

use std::time::Duration;

use crate::Error;

/// How long a rank waits for another.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Whether ranks compare what they call, and how long they wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) checks: bool,
    pub(crate) time_limit: Duration,
}

impl Settings {
    /// What the variables `GRIDWRIGHT_COMM_CHECKS` and `GRIDWRIGHT_COMM_TIME_LIMIT_S` say, of debug builds without them, and a minute.
    ///
    /// # Errors
    /// [`Error::Environment`].
    pub(crate) fn from_env() -> Result<Self, Error> {
        let checks = parse("GRIDWRIGHT_COMM_CHECKS", "0 or 1", |value| match value {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        })?;
        let time_limit = parse("GRIDWRIGHT_COMM_TIME_LIMIT_S", "a number of seconds above zero", |value| {
            let seconds = value.parse().ok().filter(|&seconds| seconds > 0.0);
            seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        })?;
        Ok(Self {
            checks: checks.unwrap_or(cfg!(debug_assertions)),
            time_limit: time_limit.unwrap_or(TIME_LIMIT),
        })
    }
}

/// The value of a variable, none if it isn't set or empty.
///
/// # Errors
/// [`Error::Environment`] for a value that `accept` doesn't take.
pub(crate) fn parse<T>(
    variable: &'static str,
    expected: &'static str,
    accept: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match value.to_str().and_then(accept) {
        Some(accepted) => Ok(Some(accepted)),
        None => Err(Error::Environment { variable, value: value.to_string_lossy().into_owned(), expected }),
    }
}
