//! What the process has once a function was called that needs it: HIP starts by itself.

use std::ffi::{c_int, c_uint};
use std::sync::OnceLock;

use crate::abi::Out;
use crate::arena::Arena;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::settings::{Settings, Version};

static PROCESS: OnceLock<Result<Process, Error>> = OnceLock::new();

pub(crate) struct Process {
    pub(crate) settings: Settings,
    /// The memory of all devices, and what the host shares with them.
    pub(crate) arena: Arena,
    pub(crate) gpus: Vec<Gpu>,
}

impl Process {
    fn start() -> Result<Self, Error> {
        let settings = Settings::from_environment().map_err(|reason| {
            say(&reason);
            Error::INVALID_VALUE
        })?;
        let arena = Arena::new().map_err(|error| {
            say(&format!("can't make memory to share with the emulator: {error}"));
            Error::OPERATING_SYSTEM
        })?;
        let gpus = (0..settings.devices).map(|ordinal| Gpu::new(ordinal, &settings));
        Ok(Self { gpus: gpus.collect(), settings, arena })
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

/// Tells the user. A program without standard error goes without.
pub(crate) fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "gridwright emulator: {text}");
}

/// # Errors
/// If the settings mean nothing, or there is no memory.
pub(crate) fn process() -> Result<&'static Process, Error> {
    PROCESS.get_or_init(Process::start).as_ref().map_err(|error| *error)
}

/// # Errors
/// If the runtime says that it is older, so that it hasn't what was called.
pub(crate) fn since(major: u32, minor: u32) -> Result<(), Error> {
    if process()?.settings.version >= (Version { major, minor }) { Ok(()) } else { Err(Error::NOT_SUPPORTED) }
}

fn version(target: Out<c_int>) -> Result<(), Error> {
    target.put(process()?.settings.version.number() as c_int)
}

hip! {
    /// Reads the settings, if no function did before.
    fn hipInit(flags: c_uint) {
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if process()?.gpus.is_empty() { Err(Error::NO_DEVICE) } else { Ok(()) }
    }

    fn hipDriverGetVersion(target: Out<c_int>) {
        version(target)
    }

    fn hipRuntimeGetVersion(target: Out<c_int>) {
        version(target)
    }
}
