//! What runs a device's kernels: an emulator in a process of its own, started by the first launch. Each device has one, so that a
//! fault of one leaves the others alone.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use gridwright_amd_emulator_client::{Failure, Options, Server, setting};
use serde_json::{Value, json};

use crate::arena::{ADDRESS, BYTES};
use crate::error::Error;
use crate::gpu::Gpu;
use crate::locks::lock;
use crate::memory::ALLOCATIONS;
use crate::process::{Process, say};

#[derive(Default)]
pub(crate) struct Executor {
    running: Mutex<Option<Running>>,
}

/// By device.
static EXECUTORS: OnceLock<Vec<Executor>> = OnceLock::new();

/// What runs a device's kernels.
pub(crate) fn of(process: &Process, device: usize) -> &'static Executor {
    &EXECUTORS.get_or_init(|| process.gpus.iter().map(|_| Executor::default()).collect())[device]
}

struct Running {
    server: Server,
    /// Which changes of the allocations it was told.
    changes: u64,
    /// The pages that its kernels may use.
    open: BTreeMap<u64, u64>,
}

/// # Errors
/// Where there is no emulator. The user is told what to do.
pub(crate) fn check() -> Result<(), Error> {
    if setting::server().is_some() {
        return Ok(());
    }
    say("nothing runs kernels: set GRIDWRIGHT_AMD_EMULATOR to the folder of an emulator of AMD's GPUs");
    Err(Error::NOT_SUPPORTED)
}

impl Executor {
    /// Ends the process. The next launch starts another.
    pub(crate) fn end(&self) {
        *lock(&self.running) = None;
    }

    /// Runs a launch, as `serve.py` describes it. Blocks until it is over.
    ///
    /// # Errors
    /// What has to stay: the device can't be used any more.
    pub(crate) fn run(
        &self,
        process: &Process,
        gpu: &Gpu,
        kernel: &str,
        mut request: Value,
    ) -> Result<(), Error> {
        let mut running = lock(&self.running);
        let started = match running.take() {
            Some(started) => Ok(started),
            None => start(process),
        };
        let result = started.and_then(|mut started| {
            started.tell(gpu, &mut request);
            let answer = started.server.ask(&request);
            *running = Some(started);
            answer
        });
        let Err(failure) = result else { return Ok(()) };
        let (error, what) = judge(&failure);
        say(&format!("error: the kernel `{kernel}` on device {} {what}\n{failure}", gpu.ordinal));
        if !matches!(failure, Failure::Refused(_)) {
            *running = None;
        }
        Err(error)
    }
}

impl Running {
    /// Adds to a request what became of the memory since the last one.
    fn tell(&mut self, gpu: &Gpu, request: &mut Value) {
        let changes = ALLOCATIONS.changes();
        if changes == self.changes {
            return;
        }
        let reached = ALLOCATIONS.reached_by(gpu.context);
        let missing = |from: &BTreeMap<u64, u64>, of: &BTreeMap<u64, u64>| -> Vec<(u64, u64)> {
            of.iter().filter(|(start, bytes)| from.get(start) != Some(bytes)).map(|(s, b)| (*s, *b)).collect()
        };
        request["close"] = json!(missing(&reached, &self.open));
        request["open"] = json!(missing(&self.open, &reached));
        (self.changes, self.open) = (changes, reached);
    }
}

fn start(process: &Process) -> Result<Running, Failure> {
    let script = setting::server().unwrap_or_default();
    let options = Options {
        script: &script,
        python: &setting::python(),
        memory: &process.arena.path(),
        address: ADDRESS as usize,
        bytes: BYTES as usize,
        is_guarded: true,
        cache: &cache(),
        patience: Duration::from_secs(process.settings.patience),
    };
    Ok(Running { server: Server::start(&options)?, changes: 0, open: BTreeMap::new() })
}

/// What the emulator compiles is kept for other programs and later runs.
fn cache() -> PathBuf {
    let named = std::env::var_os("GRIDWRIGHT_EMULATOR_CACHE").filter(|path| !path.is_empty());
    named.map_or_else(|| std::env::temp_dir().join("gridwright-amd-emulator"), PathBuf::from)
}

/// The error that stays, and what it means.
fn judge(failure: &Failure) -> (Error, &'static str) {
    match failure {
        Failure::Ended(status, _) if matches!(status.signal(), Some(libc::SIGSEGV | libc::SIGBUS)) => {
            (Error::ILLEGAL_ADDRESS, "used memory that isn't there, or isn't the device's")
        }
        Failure::Late(_) => (Error::LAUNCH_TIMEOUT, "takes too long"),
        // What the emulator says of a wave that executed too many instructions, and of a group.
        Failure::Refused(why) if why.contains("infinite loop") || why.contains("scheduling rounds") => {
            (Error::LAUNCH_TIMEOUT, "doesn't end")
        }
        _ => (Error::LAUNCH_FAILED, "didn't run"),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    use gridwright_amd_emulator_client::Failure;

    use super::judge;
    use crate::error::Error;

    #[test]
    fn only_a_fault_is_an_illegal_address() {
        let ended = |raw| Failure::Ended(ExitStatus::from_raw(raw), String::new());
        let refused = |why: &str| Failure::Refused(why.into());
        for (failure, error) in [
            (ended(libc::SIGSEGV), Error::ILLEGAL_ADDRESS),
            (ended(libc::SIGBUS), Error::ILLEGAL_ADDRESS),
            (ended(libc::SIGKILL), Error::LAUNCH_FAILED),
            (ended(1 << 8), Error::LAUNCH_FAILED),
            (Failure::Late(Duration::from_secs(1)), Error::LAUNCH_TIMEOUT),
            (refused("exceeded 1M instructions in single wave, likely infinite loop"), Error::LAUNCH_TIMEOUT),
            (refused("unimplemented instruction"), Error::LAUNCH_FAILED),
        ] {
            assert_eq!(judge(&failure).0, error, "{failure}");
        }
    }
}
