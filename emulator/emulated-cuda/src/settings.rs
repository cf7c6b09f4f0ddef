//! What environment variables say.

use std::env;

use crate::finding_json::Target;
use crate::model::Model;
use crate::variables::{Variables, named, number, switch};

/// Which findings of the emulator's checks matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checking {
    Off,
    Warn,
    Error,
}

/// A version of CUDA: as the driver says it, and the newest PTX that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// 11020 for CUDA 11.2.
    pub(crate) driver: i32,
    pub(crate) ptx: (u32, u32),
}

impl Version {
    /// CUDA 13.5.
    pub(crate) const NEWEST: Self = Self { driver: 13_050, ptx: (9, 5) };

    /// Source: PTX ISA, "Release Notes", from CUDA 10.2 on.
    fn named(name: &str) -> Option<Self> {
        let (major, minor) = name.split_once('.')?;
        let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
        let ptx = match (major, minor) {
            (10, 2) => (6, 5),
            (11, 0..=8) => (7, minor),
            (12, 0..=5) => (8, minor),
            (12, 6) => (8, 5),
            (12, 7..=9) => (8, minor - 1),
            (13, 0..=5) => (9, minor),
            _ => return None,
        };
        Some(Self { driver: (major * 1000 + minor * 10) as i32, ptx })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) devices: usize,
    /// Bytes of a device.
    pub(crate) memory: u64,
    pub(crate) model: Model,
    pub(crate) checking: Checking,
    /// Where findings go to as JSON.
    pub(crate) findings: Option<Target>,
    /// The longest delay of an operation, in microseconds.
    pub(crate) delay: u64,
    pub(crate) execute: bool,
    pub(crate) instruction_limit: u64,
    /// Whether devices have memory pools.
    pub(crate) pools: bool,
    pub(crate) version: Version,
    /// Of a thread of any kernel, where it isn't estimated.
    pub(crate) registers: Option<u32>,
    /// An instruction that the compiler of PTX doesn't know.
    pub(crate) unknown: Option<String>,
    /// Whether memory is freed at once, whatever is queued.
    pub(crate) strict_free: bool,
    /// Whether host and devices may use managed memory at the same time.
    pub(crate) concurrent_managed_access: bool,
}

impl Settings {
    /// # Errors
    /// Says which variable has a value that means nothing.
    pub(crate) fn from_environment() -> Result<Self, String> {
        Self::read(&|name| env::var(name).ok())
    }

    fn read(variable: Variables<'_>) -> Result<Self, String> {
        let checking = named(
            variable,
            "GRIDWRIGHT_EMULATOR_CHECKS",
            Checking::Warn,
            |name| match name {
                "off" => Some(Checking::Off),
                "warn" => Some(Checking::Warn),
                "error" => Some(Checking::Error),
                _ => None,
            },
            "off, warn or error",
        )?;
        let model = named(
            variable,
            "GRIDWRIGHT_EMULATOR_ARCHITECTURE",
            Model::default(),
            Model::named,
            &Model::names(),
        )?;
        let findings = match variable("GRIDWRIGHT_EMULATOR_FINDINGS") {
            None => None,
            Some(name) => Some(Target::named(&name).map_err(|error| {
                format!("GRIDWRIGHT_EMULATOR_FINDINGS is `{name}`, and may be - or a file: {error}")
            })?),
        };
        let version = named(
            variable,
            "GRIDWRIGHT_EMULATOR_CUDA",
            Version::NEWEST,
            Version::named,
            "a version from 10.2 to 13.5",
        )?;
        let registers = number(variable, "GRIDWRIGHT_EMULATOR_REGISTERS", 0, 0..=255)? as u32;
        Ok(Self {
            devices: number(variable, "GRIDWRIGHT_EMULATOR_DEVICES", 1, 0..=64)? as usize,
            memory: number(variable, "GRIDWRIGHT_EMULATOR_MEMORY", 16 << 30, 1 << 20..=1 << 44)?,
            model,
            checking,
            findings,
            delay: number(variable, "GRIDWRIGHT_EMULATOR_DELAY_US", 0, 0..=1_000_000)?,
            execute: switch(variable, "GRIDWRIGHT_EMULATOR_EXECUTE", true)?,
            strict_free: switch(variable, "GRIDWRIGHT_EMULATOR_STRICT_FREE", false)?,
            concurrent_managed_access: switch(
                variable,
                "GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS",
                true,
            )?,
            instruction_limit: number(
                variable,
                "GRIDWRIGHT_EMULATOR_INSTRUCTION_LIMIT",
                1 << 32,
                1..=u64::MAX,
            )?,
            pools: switch(variable, "GRIDWRIGHT_EMULATOR_POOLS", true)?,
            version,
            registers: Some(registers).filter(|&registers| registers > 0),
            unknown: variable("GRIDWRIGHT_EMULATOR_UNKNOWN"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Checking, Settings, Version};

    #[test]
    fn variables_are_read_and_wrong_ones_are_named() {
        let settings = Settings::read(&|_| None).expect("defaults are fine");
        assert_eq!((settings.devices, settings.memory, settings.execute), (1, 16 << 30, true));
        let settings = Settings::read(&|name| (name == "GRIDWRIGHT_EMULATOR_CHECKS").then(|| "error".into()));
        assert_eq!(settings.expect("that is a value").checking, Checking::Error);
        for (variable, value) in [
            ("GRIDWRIGHT_EMULATOR_CHECKS", "all"),
            ("GRIDWRIGHT_EMULATOR_DEVICES", "-1"),
            ("GRIDWRIGHT_EMULATOR_DEVICES", "65"),
            ("GRIDWRIGHT_EMULATOR_MEMORY", "4G"),
            ("GRIDWRIGHT_EMULATOR_EXECUTE", "no"),
            ("GRIDWRIGHT_EMULATOR_STRICT_FREE", "yes"),
            ("GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS", "2"),
            ("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx1100"),
            ("GRIDWRIGHT_EMULATOR_CUDA", "9.0"),
            ("GRIDWRIGHT_EMULATOR_POOLS", "none"),
            ("GRIDWRIGHT_EMULATOR_REGISTERS", "256"),
            ("GRIDWRIGHT_EMULATOR_FINDINGS", "/no/such/folder/findings.json"),
        ] {
            let said = Settings::read(&|name| (name == variable).then(|| value.into())).expect_err("wrong");
            assert!(said.contains(variable) && said.contains(value), "{said}");
        }
    }

    #[test]
    fn each_version_of_cuda_has_its_newest_ptx() {
        let ptx = |name| Version::named(name).map(|version| version.ptx);
        assert_eq!((ptx("10.2"), ptx("11.8"), ptx("12.5")), (Some((6, 5)), Some((7, 8)), Some((8, 5))));
        assert_eq!((ptx("12.6"), ptx("12.9"), ptx("13.0")), (Some((8, 5)), Some((8, 8)), Some((9, 0))));
        assert_eq!((ptx("11.9"), ptx("14.0"), ptx("12")), (None, None, None));
        assert_eq!(Version::named("13.5"), Some(Version::NEWEST));
    }
}
