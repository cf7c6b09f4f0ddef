//! Environment variables that the host reads.

use crate::Error;

/// The value of a variable, or `default` without one.
///
/// # Errors
/// [`Error::Environment`] for a value that `accept` doesn't take; `expected` says what it does.
pub(crate) fn parse<T>(
    variable: &'static str,
    default: T,
    accept: impl FnOnce(&str) -> Option<T>,
    expected: impl FnOnce() -> String,
) -> Result<T, Error> {
    let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok(default);
    };
    value.to_str().and_then(accept).ok_or_else(|| Error::Environment {
        variable,
        value: value.to_string_lossy().into_owned(),
        expected: expected(),
    })
}
