//! What environment variables say.

use std::env;

use crate::model::Model;
use crate::variables::{Variables, named, number, switch};

/// A version of HIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

impl Version {
    pub(crate) const OLDEST: Self = Self { major: 5, minor: 2 };
    pub(crate) const NEWEST: Self = Self { major: 7, minor: 0 };

    fn named(name: &str) -> Option<Self> {
        let (major, minor) = name.split_once('.')?;
        let version =
            Self { major: major.parse().ok()?, minor: minor.parse().ok().filter(|minor| *minor < 100)? };
        (Self::OLDEST..=Self::NEWEST).contains(&version).then_some(version)
    }

    /// As HIP writes it: 50200000 for 5.2, with a patch's number of zero.
    pub(crate) fn number(self) -> u32 {
        self.major * 10_000_000 + self.minor * 100_000
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) devices: usize,
    /// Bytes of a device.
    pub(crate) memory: u64,
    pub(crate) model: Model,
    /// The longest delay of an operation, in microseconds.
    pub(crate) delay: u64,
    pub(crate) execute: bool,
    /// Whether devices have memory pools.
    pub(crate) pools: bool,
    pub(crate) version: Version,
    /// Whether host and devices may use managed memory at the same time.
    pub(crate) concurrent_managed_access: bool,
    /// How long a launch may take, in seconds.
    pub(crate) patience: u64,
}

impl Settings {
    /// # Errors
    /// Says which variable has a value that means nothing.
    pub(crate) fn from_environment() -> Result<Self, String> {
        Self::read(&|name| env::var(name).ok())
    }

    fn read(variable: Variables<'_>) -> Result<Self, String> {
        let model = named(
            variable,
            "GRIDWRIGHT_EMULATOR_ARCHITECTURE",
            Model::DEFAULT,
            Model::named,
            &Model::names(),
        )?;
        let version = named(
            variable,
            "GRIDWRIGHT_EMULATOR_HIP",
            Version::NEWEST,
            Version::named,
            "a version from 5.2 to 7.0",
        )?;
        Ok(Self {
            devices: number(variable, "GRIDWRIGHT_EMULATOR_DEVICES", 1, 0..=64)? as usize,
            memory: number(variable, "GRIDWRIGHT_EMULATOR_MEMORY", 16 << 30, 1 << 20..=1 << 40)?,
            model,
            delay: number(variable, "GRIDWRIGHT_EMULATOR_DELAY_US", 0, 0..=1_000_000)?,
            execute: switch(variable, "GRIDWRIGHT_EMULATOR_EXECUTE", true)?,
            pools: switch(variable, "GRIDWRIGHT_EMULATOR_POOLS", true)?,
            version,
            concurrent_managed_access: switch(
                variable,
                "GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS",
                true,
            )?,
            patience: number(variable, "GRIDWRIGHT_EMULATOR_PATIENCE_S", 300, 1..=86_400)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, Version};

    #[test]
    fn variables_are_read_and_wrong_ones_are_named() {
        let settings = Settings::read(&|_| None).expect("defaults are fine");
        assert_eq!((settings.devices, settings.memory, settings.execute), (1, 16 << 30, true));
        for (variable, value) in [
            ("GRIDWRIGHT_EMULATOR_DEVICES", "-1"),
            ("GRIDWRIGHT_EMULATOR_MEMORY", "4G"),
            ("GRIDWRIGHT_EMULATOR_EXECUTE", "no"),
            ("GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS", "2"),
            ("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "sm_80"),
            ("GRIDWRIGHT_EMULATOR_HIP", "4.5"),
            ("GRIDWRIGHT_EMULATOR_POOLS", "none"),
            ("GRIDWRIGHT_EMULATOR_PATIENCE_S", "0"),
        ] {
            let said = Settings::read(&|name| (name == variable).then(|| value.into())).expect_err("wrong");
            assert!(said.contains(variable) && said.contains(value), "{said}");
        }
    }

    #[test]
    fn versions_are_those_of_hip() {
        assert_eq!(Version::named("5.2"), Some(Version::OLDEST));
        assert_eq!(Version::named("6.3").map(Version::number), Some(60_300_000));
        assert_eq!((Version::named("7.1"), Version::named("6"), Version::named("6.100")), (None, None, None));
    }
}
