//! Checks beyond what ends a launch.

mod cell;
mod clock;
mod clocks;
mod races;
mod shadow_row;
mod synchronisation;

pub(crate) use cell::{Cell, Record};
pub(crate) use clock::Clock;
pub(crate) use clocks::{Brought, Clocks};
pub(crate) use races::GlobalShadow;
pub(crate) use shadow_row::ROW as ROW_PIECES;
pub(crate) use synchronisation::{Locations, Member, Synchronisation};

/// Which checks a launch makes. Faults, as accesses out of bounds, are always checked.
///
/// ```
/// use gridwright_emulator::Checks;
///
/// let mut checks = Checks::NONE;
/// checks.workgroup_races = true;
/// assert_ne!(checks, Checks::ALL);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
pub struct Checks {
    /// Races in workgroup memory.
    pub workgroup_races: bool,
    /// Races in device memory, within the launch. Takes up to 16 bytes for each byte that the kernel accesses, and half a byte where each warp accesses a row as a whole.
    pub device_races: bool,
    /// Reads of workgroup memory that nothing wrote.
    pub uninitialised_workgroup: bool,
    /// Reads of device memory that neither the host nor a kernel wrote.
    pub uninitialised_device: bool,
    /// Barriers in divergent code or after exits, and members that are wrong.
    pub divergence: bool,
    /// Uses of what an integer division by zero gave.
    pub division: bool,
}

impl Checks {
    /// All checks.
    pub const ALL: Self = Self {
        workgroup_races: true,
        device_races: true,
        uninitialised_workgroup: true,
        uninitialised_device: true,
        divergence: true,
        division: true,
    };

    /// No checks: as fast as it gets.
    pub const NONE: Self = Self {
        workgroup_races: false,
        device_races: false,
        uninitialised_workgroup: false,
        uninitialised_device: false,
        divergence: false,
        division: false,
    };
}

impl Default for Checks {
    fn default() -> Self {
        Self::ALL
    }
}
