//! Where threads leave what is to be told: the host's memory is mapped into the emulator's.

use std::ptr::NonNull;
use std::sync::{MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use gridwright_core::{ALLOCATES, HeapUsage, Image, RECORD};
use gridwright_emulator as emulator;

use super::{EmulatedGpu, NAME};
use crate::Error;
use crate::backend::gpu::{HeapMemory, KernelHeap, Link, Shared};
use crate::backend::host_allocation;

/// What threads leave, once an image was loaded in which they can, and the heap that they allocate from.
#[derive(Debug, Default)]
pub(super) struct Records {
    shared: Option<Shared>,
    heap: KernelHeap,
}

/// A lock that launches hold for reading; for writing it is held where nothing may run.
#[derive(Debug, Default)]
pub(super) struct Running(RwLock<()>);

impl Running {
    pub(super) fn launch(&self) -> RwLockReadGuard<'_, ()> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) -> RwLockWriteGuard<'_, ()> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self) -> Option<RwLockWriteGuard<'_, ()>> {
        self.0.try_write().ok()
    }
}

/// The way to the emulator's memory.
struct Emulated<'e> {
    backend: &'e EmulatedGpu,
    /// The lock, held while nothing may be launched.
    paused: Option<RwLockWriteGuard<'e, ()>>,
}

impl EmulatedGpu {
    /// Tells the threads of an image where to leave things. Those of an image without the variable leave nothing.
    pub(super) fn record_for(
        &self,
        records: &mut Records,
        module: &emulator::Loaded,
        image: &'static Image,
    ) -> Result<(), Error> {
        let Some((address, 8)) = module.global(RECORD) else { return Ok(()) };
        let shared = match &mut records.shared {
            Some(shared) => shared,
            none => none.insert(self.share()?),
        };
        shared.know(image.panics);
        if module.global(ALLOCATES).is_some() {
            records.heap.provide(&self.link(), shared.record())?;
        }
        self.link().write(address, &shared.record().to_le_bytes())
    }

    /// Hands on what threads printed, and returns the first panic since the last call. The state isn't locked.
    pub(super) fn take_records(&self) -> Result<(), Error> {
        let mut records = self.records();
        let Records { shared: Some(shared), heap } = &mut *records else {
            // No kernel that was launched can have left anything.
            if let Some(_idle) = self.running.is_idle() {
                self.state().launched.clear();
            }
            return Ok(());
        };
        let mut link = self.link();
        let lines = shared.take_lines(&mut link, &self.printed);
        let panic = shared.take_panic(&link, || self.state().launched.name());
        if let Some(_idle) = self.running.is_idle()
            && !shared.has_panic()
        {
            self.state().launched.clear();
        }
        let mut cleared = Ok(());
        if matches!(panic, Ok(Some(_))) {
            // Threads that panicked free nothing.
            cleared = link.pause().and_then(|()| heap.clear(&link));
            link.resume();
        }
        drop(records);
        self.printed.hand_on();
        lines?;
        panic?.map_or(cleared, Err)
    }

    /// Lets the heap of kernels have at least as many bytes.
    pub(super) fn resize_heap(&self, bytes: usize) -> Result<(), Error> {
        let Records { shared, heap } = &mut *self.records();
        let Some(shared) = shared else {
            heap.set_bytes(bytes);
            return Ok(());
        };
        let mut link = self.link();
        let resized = link.pause().and_then(|()| heap.resize(&link, shared.record(), bytes));
        link.resume();
        resized
    }

    /// What kernels have of their heap.
    pub(super) fn usage_of_heap(&self) -> Result<HeapUsage, Error> {
        let records = self.records();
        let mut link = self.link();
        let usage = link.pause().and_then(|()| records.heap.usage(&link));
        link.resume();
        usage
    }

    /// Panics so far. The caller runs nothing meanwhile.
    pub(super) fn panics(&self) -> Result<u32, Error> {
        self.records().shared.as_ref().map_or(Ok(0), |shared| shared.panics(&self.link()))
    }

    /// The records, which are locked before the state.
    pub(super) fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn link(&self) -> Emulated<'_> {
        Emulated { backend: self, paused: None }
    }

    fn share(&self) -> Result<Shared, Error> {
        let room = self.printed.room();
        let bytes = Shared::host_bytes(room);
        let none =
            Error::OutOfMemory { device: NAME.into(), requested: bytes as u128, free: None, total: None };
        let host = host_allocation::zeroed(bytes).ok_or(none)?;
        let shared = self.map(host, bytes, room);
        if shared.is_err() {
            // SAFETY: allocated above, and no module knows of it.
            unsafe { host_allocation::give_back(host, bytes) };
        }
        shared
    }

    fn map(&self, host: NonNull<u8>, bytes: usize, room: usize) -> Result<Shared, Error> {
        let record = self.device.alloc(Shared::RECORD as u64).map_err(|e| self.memory_error("load", e))?;
        // SAFETY: the memory stays until the backend is dropped, which runs nothing any more; beside launches only `Shared`
        // looks at it: at flags atomically, and at lines that are written.
        let address = unsafe { self.device.map(host.as_ptr(), bytes) };
        let address = address.map_err(|e| self.memory_error("load", e))?;
        if let Err(error) = self.link().write(record, &Shared::new_record(address, room)) {
            let _ = self.device.unmap(address);
            return Err(error);
        }
        // SAFETY: `zeroed` aligns to 64; the memory is given back in `drop`, behind the value; threads know it by the record.
        Ok(unsafe { Shared::new(record, host.as_ptr(), room) })
    }
}

impl HeapMemory for Emulated<'_> {
    fn allocate(&self, bytes: usize) -> Result<u64, Error> {
        self.backend.device.alloc(bytes as u64).map_err(|e| self.backend.memory_error("allocate", e))
    }

    fn free(&self, memory: u64) {
        // Nothing can be wrong with memory that `allocate` gave.
        let _ = self.backend.device.free(memory);
    }
}

impl Link for Emulated<'_> {
    fn read(&self, from: u64, to: &mut [u8]) -> Result<(), Error> {
        self.backend.device.read(from, to).map_err(|e| self.backend.memory_error("read", e))
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), Error> {
        self.backend.device.write(to, from).map_err(|e| self.backend.memory_error("write", e))
    }

    fn pause(&mut self) -> Result<(), Error> {
        self.paused = Some(self.backend.running.wait());
        Ok(())
    }

    fn resume(&mut self) {
        self.paused = None;
    }
}

impl Drop for EmulatedGpu {
    fn drop(&mut self) {
        let Some(shared) = self.records().shared.take() else { return };
        // There is nobody to tell, and it was mapped.
        let _ = self.device.unmap(shared.host().addr() as u64);
        if let Some(host) = NonNull::new(shared.host()) {
            // SAFETY: allocated in `share` with as many bytes; nothing runs, and the modules that know it aren't launched again.
            unsafe { host_allocation::give_back(host, Shared::host_bytes(self.printed.room())) };
        }
    }
}
