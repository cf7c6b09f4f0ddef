//! What the process has once `cuInit` was called.

use std::ffi::{c_int, c_uint};
use std::sync::{OnceLock, RwLock};

use gridwright_emulator::{Device as Emulator, DeviceOptions};

use crate::abi::Out;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::settings::{Settings, Version};

static PROCESS: OnceLock<Process> = OnceLock::new();

pub(crate) struct Process {
    /// The system's number of the process that called `cuInit`.
    id: u32,
    pub(crate) settings: Settings,
    /// The memory of all devices: one address space, as CUDA has it.
    pub(crate) emulator: Emulator,
    pub(crate) gpus: Vec<Gpu>,
    /// Held for reading while a kernel runs: mapped host memory goes away when none does.
    pub(crate) running: RwLock<()>,
}

impl Process {
    fn new(settings: Settings) -> Self {
        let emulator = Emulator::with_options(DeviceOptions {
            // Each device's share is counted; the variables of modules come on top.
            capacity: settings.memory.saturating_mul(2).saturating_mul(settings.devices.max(1) as u64),
            host_threads: 0,
            workgroup_memory: settings.model.most_shared(),
            ..DeviceOptions::default()
        });
        Self {
            id: std::process::id(),
            emulator,
            gpus: (0..settings.devices).map(|ordinal| Gpu::new(ordinal, &settings)).collect(),
            settings,
            running: RwLock::new(()),
        }
    }

    /// # Errors
    /// Where devices have no memory pools.
    pub(crate) fn with_pools(&self) -> Result<&Self, Error> {
        if self.settings.pools { Ok(self) } else { Err(Error::NOT_SUPPORTED) }
    }

    pub(crate) fn gpu(&self, device: c_int) -> Result<&Gpu, Error> {
        usize::try_from(device).ok().and_then(|ordinal| self.gpus.get(ordinal)).ok_or(Error::INVALID_DEVICE)
    }
}

/// The version that the driver says it has: the newest, before the settings are read.
pub(crate) fn version() -> c_int {
    PROCESS.get().map_or(Version::NEWEST, |process| process.settings.version).driver
}

/// # Errors
/// Before `cuInit`, and in a process that was forked after it: the threads of its streams stayed behind.
pub(crate) fn process() -> Result<&'static Process, Error> {
    PROCESS.get().filter(|process| process.id == std::process::id()).ok_or(Error::NOT_INITIALIZED)
}

/// A table, which is empty before `cuInit`.
///
/// # Errors
/// Before `cuInit`, and in a process that was forked after it.
pub(crate) fn started<T>(table: &'static T) -> Result<&'static T, Error> {
    process().map(|_| table)
}

driver! {
    /// Reads the settings. Each other call but those about versions and errors needs it.
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if PROCESS.get().is_none() {
            let settings = Settings::from_environment().map_err(|reason| {
                eprintln!("gridwright emulator: {reason}");
                Error::INVALID_VALUE
            })?;
            PROCESS.get_or_init(|| Process::new(settings));
        }
        if process()?.gpus.is_empty() { Err(Error::NO_DEVICE) } else { Ok(()) }
    }

    /// Works before `cuInit`.
    fn cuDriverGetVersion(version: Out<c_int>) {
        version.put(self::version())
    }
}
