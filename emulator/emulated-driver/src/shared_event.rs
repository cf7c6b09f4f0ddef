//! What processes share of an event: how often it was recorded, and how much of that was reached.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::shared_memory::{Purpose, SharedMemory, SharedName};

/// Words: the last record's number, the last one that was reached, and the process of the last record.
const BYTES: usize = 24;

/// Between two looks at another process's event.
const PAUSE: Duration = Duration::from_micros(50);
/// Looks until the other process is looked for.
const PATIENCE: u32 = 2000;

#[derive(Clone)]
pub struct SharedEvent(Arc<SharedMemory>);

impl SharedEvent {
    pub fn new() -> Result<Self, Error> {
        let memory = SharedMemory::new(BYTES).map_err(|_| Error::OPERATING_SYSTEM)?;
        Ok(Self(Arc::new(memory)))
    }

    pub fn open(name: &SharedName) -> Result<Self, Error> {
        let memory = SharedMemory::open(name, Purpose::Event).map_err(|_| Error::INVALID_HANDLE)?;
        if memory.bytes() != BYTES {
            return Err(Error::INVALID_HANDLE);
        }
        Ok(Self(Arc::new(memory)))
    }

    pub fn name(&self) -> Result<SharedName, Error> {
        self.0.name(Purpose::Event).map_err(|_| Error::OPERATING_SYSTEM)
    }

    fn words(&self) -> &[AtomicU64; BYTES / 8] {
        // SAFETY: the mapping has `BYTES` bytes at a page, lives as long as `self`, and is accessed by atomic operations only.
        unsafe { &*self.0.pointer().cast() }
    }

    /// The number of a new record.
    pub fn record(&self) -> u64 {
        let [last, _, process] = self.words();
        process.store(std::process::id().into(), Ordering::Release);
        last.fetch_add(1, Ordering::AcqRel) + 1
    }

    pub fn reach(&self, number: u64) {
        self.words()[1].fetch_max(number, Ordering::AcqRel);
    }

    /// The last record's number; 0 before the first.
    pub fn last(&self) -> u64 {
        self.words()[0].load(Ordering::Acquire)
    }

    pub fn is_reached(&self, number: u64) -> bool {
        self.words()[1].load(Ordering::Acquire) >= number
    }

    /// # Errors
    /// If the process that recorded the event last has ended and left the record unreached.
    pub fn wait(&self, number: u64) -> Result<(), Error> {
        for look in 1_u64.. {
            if self.is_reached(number) {
                break;
            }
            if look.is_multiple_of(PATIENCE.into()) {
                let process = self.words()[2].load(Ordering::Acquire);
                if !Path::new(&format!("/proc/{process}")).exists() && !self.is_reached(number) {
                    return Err(Error::UNKNOWN);
                }
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}
