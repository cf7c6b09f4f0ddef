//! What environment variables say.

use std::time::Duration;

use crate::error::Error;

const PATIENCE: &str = "GRIDWRIGHT_EMULATOR_NCCL_PATIENCE_MS";

const DEFAULT: Duration = Duration::from_secs(20);

/// How long a rank waits for another.
///
/// # Errors
/// If the variable isn't a number.
pub(crate) fn patience() -> Result<Duration, Error> {
    let Some(value) = std::env::var_os(PATIENCE) else { return Ok(DEFAULT) };
    let milliseconds =
        value.to_str().and_then(|text| text.parse().ok()).filter(|&milliseconds| milliseconds > 0);
    let milliseconds =
        milliseconds.ok_or_else(|| Error::argument(format!("{PATIENCE} must be milliseconds")))?;
    Ok(Duration::from_millis(milliseconds))
}
