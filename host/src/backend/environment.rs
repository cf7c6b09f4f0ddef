use crate::Error;

/// What a variable of the environment says, or the default without it.
///
/// # Errors
/// [`Error::Environment`] for a value that isn't accepted.
pub(super) fn parse<T>(
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
