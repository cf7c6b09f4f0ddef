//! Environment variables, of which a wrong value is named.

use std::ops::RangeInclusive;

/// Where values come from, by a variable's name.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// 1 or 0.
///
/// # Errors
/// Says what the variable may be.
pub fn switch(variables: Variables<'_>, name: &str, default: bool) -> Result<bool, String> {
    match variables(name).as_deref() {
        None => Ok(default),
        Some("1") => Ok(true),
        Some("0") => Ok(false),
        Some(other) => Err(format!("{name} is `{other}`, and may be 0 or 1")),
    }
}

/// A number within a range.
///
/// # Errors
/// Says what the variable may be.
pub fn number(
    variables: Variables<'_>,
    name: &str,
    default: u64,
    range: RangeInclusive<u64>,
) -> Result<u64, String> {
    let Some(text) = variables(name) else { return Ok(default) };
    text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
        format!("{name} is `{text}`, and may be a number from {} to {}", range.start(), range.end())
    })
}

/// What a name stands for.
///
/// # Errors
/// Says what the variable may be.
pub fn named<T>(
    variables: Variables<'_>,
    variable: &str,
    default: T,
    find: impl FnOnce(&str) -> Option<T>,
    names: &str,
) -> Result<T, String> {
    let Some(name) = variables(variable) else { return Ok(default) };
    find(&name).ok_or_else(|| format!("{variable} is `{name}`, and may be {names}"))
}
