//! What environment variables say.

use std::env;
use std::str::FromStr;

use crate::model::Model;

/// Which findings of the emulator's checks matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checking {
    Off,
    Warn,
    Error,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) devices: usize,
    /// Bytes of a device.
    pub(crate) memory: u64,
    pub(crate) model: Model,
    pub(crate) checking: Checking,
    /// The longest delay of an operation, in microseconds.
    pub(crate) delay: u64,
    pub(crate) execute: bool,
    pub(crate) instruction_limit: u64,
    /// Whether host and devices may use managed memory at the same time.
    pub(crate) concurrent_managed_access: bool,
}

impl Settings {
    /// # Errors
    /// Says which variable has a value that means nothing.
    pub(crate) fn from_environment() -> Result<Self, String> {
        Self::read(|name| env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let checking = match variable("GRIDWRIGHT_EMULATOR_CHECKS").as_deref() {
            Some("off") => Checking::Off,
            None | Some("warn") => Checking::Warn,
            Some("error") => Checking::Error,
            Some(other) => {
                return Err(format!(
                    "GRIDWRIGHT_EMULATOR_CHECKS is `{other}`, and may be off, warn or error"
                ));
            }
        };
        let model = match variable("GRIDWRIGHT_EMULATOR_ARCHITECTURE") {
            None => Model::default(),
            Some(name) => Model::named(&name).ok_or_else(|| {
                format!("GRIDWRIGHT_EMULATOR_ARCHITECTURE is `{name}`, and may be {}", Model::names())
            })?,
        };
        Ok(Self {
            devices: number(&variable, "GRIDWRIGHT_EMULATOR_DEVICES", 1, 0..=64)? as usize,
            memory: number(&variable, "GRIDWRIGHT_EMULATOR_MEMORY", 16 << 30, 1 << 20..=1 << 44)?,
            model,
            checking,
            delay: number(&variable, "GRIDWRIGHT_EMULATOR_DELAY_US", 0, 0..=1_000_000)?,
            execute: switch(&variable, "GRIDWRIGHT_EMULATOR_EXECUTE")?,
            concurrent_managed_access: switch(&variable, "GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS")?,
            instruction_limit: number(
                &variable,
                "GRIDWRIGHT_EMULATOR_INSTRUCTION_LIMIT",
                1 << 32,
                1..=u64::MAX,
            )?,
        })
    }
}

/// On, unless the variable says 0.
fn switch(variable: impl Fn(&str) -> Option<String>, name: &str) -> Result<bool, String> {
    match variable(name).as_deref() {
        None | Some("1") => Ok(true),
        Some("0") => Ok(false),
        Some(other) => Err(format!("{name} is `{other}`, and may be 0 or 1")),
    }
}

fn number(
    variable: impl Fn(&str) -> Option<String>,
    name: &str,
    default: u64,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64, String> {
    let Some(text) = variable(name) else { return Ok(default) };
    u64::from_str(&text).ok().filter(|value| range.contains(value)).ok_or_else(|| {
        format!("{name} is `{text}`, and may be a number from {} to {}", range.start(), range.end())
    })
}

#[cfg(test)]
mod tests {
    use super::{Checking, Settings};

    #[test]
    fn variables_are_read_and_wrong_ones_are_named() {
        let settings = Settings::read(|_| None).expect("defaults are fine");
        assert_eq!((settings.devices, settings.memory, settings.execute), (1, 16 << 30, true));
        let settings = Settings::read(|name| (name == "GRIDWRIGHT_EMULATOR_CHECKS").then(|| "error".into()));
        assert_eq!(settings.expect("that is a value").checking, Checking::Error);
        for (variable, value) in [
            ("GRIDWRIGHT_EMULATOR_CHECKS", "all"),
            ("GRIDWRIGHT_EMULATOR_DEVICES", "-1"),
            ("GRIDWRIGHT_EMULATOR_DEVICES", "65"),
            ("GRIDWRIGHT_EMULATOR_MEMORY", "4G"),
            ("GRIDWRIGHT_EMULATOR_EXECUTE", "no"),
            ("GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS", "2"),
            ("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx1100"),
        ] {
            let said = Settings::read(|name| (name == variable).then(|| value.into())).expect_err("wrong");
            assert!(said.contains(variable) && said.contains(value), "{said}");
        }
    }
}
