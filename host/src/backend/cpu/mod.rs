//! The CPU as a device. A launch runs on the calling thread, with the pool's help where it is worth it,
//! and has finished when it returns: streams are in order by nature.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::Limits;
use gridwright_device::arch::{self, Isa};

use super::{
    Attribute, Backend, Code, Contents, GraphId, Home, Kind, Launch, Loaded, Mark, Memory, MemoryId, Place,
    StreamId, Textures, Ticket, Work, host,
};
use crate::host_call::HostCall;
use crate::printed::Printed;
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy, Priority};

mod chunks;
mod core;
mod panic;
mod partition;
mod pool;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;

/// The one stream: all work has finished when the call that submits it returns.
const STREAM: StreamId = StreamId(0);

/// All graphs: their work is all that they are.
const GRAPH: GraphId = GraphId(0);

/// The ticket of all work.
const DONE: Ticket = Ticket { stream: 0, number: 0 };

#[derive(Debug)]
pub(crate) struct Cpu {
    name: String,
    isa: Isa,
    threads: usize,
    panicked: AtomicBool,
    /// The panic that the next synchronisation reports.
    panic: Mutex<Option<Error>>,
    printed: Printed,
    /// A lock that is held while memory is used that graphs use too.
    shared: Mutex<()>,
}

impl Cpu {
    /// # Errors
    /// [`Error::Environment`] for a `GRIDWRIGHT_CPU_THREADS`, `GRIDWRIGHT_CPU_ISA` or `GRIDWRIGHT_PRINT_BYTES` that means
    /// nothing here.
    pub(crate) fn open() -> Result<Self, Error> {
        let (isa, threads) = (settings::isa()?, settings::threads()?);
        panic::install_hook();
        let plural = if threads == 1 { "" } else { "s" };
        Ok(Self {
            name: format!("CPU, {threads} thread{plural}, {}", isa.name()),
            isa,
            threads,
            panicked: AtomicBool::new(false),
            panic: Mutex::new(None),
            printed: Printed::new()?,
            shared: Mutex::default(),
        })
    }

    /// Keeps replays, and other uses of memory that graphs use too, away until it is dropped.
    fn turn(&self, is_shared: bool) -> Option<MutexGuard<'_, ()>> {
        is_shared.then(|| self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn zeroed(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        host::zeroed(bytes).ok_or_else(|| self.out_of_memory(bytes))
    }

    fn out_of_memory(&self, bytes: usize) -> Error {
        Error::OutOfMemory { device: self.name.clone(), requested: bytes as u128, free: None, total: None }
    }
}

impl Textures for Cpu {}

impl Backend for Cpu {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> &Limits {
        &Limits::PORTABLE
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        let architecture = self.isa.name().to_owned();
        Ok(DeviceInfo { architecture, processors: self.threads, memory_bytes: None })
    }

    fn open_stream(&self, _: Priority) -> Result<StreamId, Error> {
        Ok(STREAM)
    }

    fn close_stream(&self, _: StreamId) {}

    fn allocate(&self, _: StreamId, bytes: usize, _: Contents) -> Result<Memory, Error> {
        Ok(Memory { pointer: self.zeroed(bytes)?, id: MemoryId(0), home: Home::Device })
    }

    /// All memory is the host's.
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        Ok(Memory { pointer: self.zeroed(bytes)?, id: MemoryId(0), home })
    }

    fn wait_for_memory(&self, _: MemoryId, _: Kind) -> Result<(), Error> {
        self.synchronize(STREAM)
    }

    unsafe fn free(&self, memory: Memory, bytes: usize) {
        // SAFETY: `zeroed` gave it, by contract.
        unsafe { host::give_back(memory.pointer, bytes) };
    }

    unsafe fn write(&self, _: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: there is room, by contract; a host slice isn't device memory.
        unsafe { to.pointer.as_ptr().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(())
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        self.synchronize(stream)?;
        let _turn = self.turn(from.is_shared);
        // SAFETY: there are as many bytes, by contract; a host slice isn't device memory.
        unsafe { from.pointer.as_ptr().copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
        Ok(())
    }

    unsafe fn fill(&self, _: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: there is room, by contract, so the product doesn't overflow.
        let bytes = unsafe { std::slice::from_raw_parts_mut(to.pointer.as_ptr(), pattern.len() * count) };
        for chunk in bytes.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        Ok(())
    }

    unsafe fn copy(&self, _: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        let _turn = self.turn(from.is_shared || to.is_shared);
        // SAFETY: both have as many bytes and don't overlap, by contract.
        unsafe { to.pointer.copy_from_nonoverlapping(from.pointer, bytes) };
        Ok(())
    }

    fn host_address(&self, place: Place) -> Option<NonNull<u8>> {
        Some(place.pointer)
    }

    /// Another opening of the CPU is the same memory.
    fn can_access_peer(&self, peer: &dyn Backend) -> Result<bool, Error> {
        Ok(peer.kind() == DeviceKind::Cpu)
    }

    fn textures(&self) -> &dyn Textures {
        self
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.zeroed(bytes)
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, _: Option<Ticket>) {
        // SAFETY: `allocate_pinned` gave it, by contract; copies have finished when they return.
        unsafe { host::give_back(memory, bytes) };
    }

    unsafe fn write_pinned(
        &self,
        _: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: there are as many bytes in both, by contract; no memory is both pinned and a buffer's.
        unsafe { to.pointer.copy_from_nonoverlapping(from, bytes) };
        Ok(DONE)
    }

    unsafe fn read_pinned(
        &self,
        _: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let _turn = self.turn(from.is_shared);
        // SAFETY: as above.
        unsafe { to.copy_from_nonoverlapping(from.pointer, bytes) };
        Ok(DONE)
    }

    fn is_done(&self, _: Ticket) -> Result<bool, Error> {
        Ok(true)
    }

    fn wait_until_done(&self, _: Ticket) -> Result<(), Error> {
        self.synchronize(STREAM)
    }

    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        let reason = match code.cpu {
            arch::Cpu::Foreign => {
                "it was compiled elsewhere, for NVIDIA's GPUs; set GRIDWRIGHT_DEVICE=cuda:0"
            }
            arch::Cpu::Fibers(_) if !arch::HAS_FIBERS => {
                "it is an `unsafe fn`, whose threads wait for each other, which they can't on this target's CPU"
            }
            // The code is part of the program.
            _ if self.isa.is_in(code.images.cpu) => return Ok(Loaded { function: 0, best_block: None }),
            _ => {
                "the program has code for one instruction set alone, as GRIDWRIGHT_CPU_CODE or `cpu-code` says, and this is \
                 another: build it without that, or where the machine has it, set GRIDWRIGHT_CPU_ISA to that one"
            }
        };
        let device = self.name.clone();
        Err(Error::ImageMissing { kernel: code.name, device, reason: reason.into() })
    }

    fn attributes(&self, code: &'static Code, _: Loaded) -> Result<Attributes, Error> {
        let most = self.limits().threads_per_group;
        Ok(Attributes {
            registers: None,
            local_bytes: 0,
            constant_bytes: 0,
            workgroup_bytes: code.fixed_bytes,
            most_threads: code.bounds.most_threads.unwrap_or(most).min(most),
        })
    }

    /// A core runs one workgroup at a time, whatever its size.
    fn occupancy(&self, _: &'static Code, _: Loaded, threads: usize, _: usize) -> Result<Occupancy, Error> {
        Ok(Occupancy {
            groups_per_processor: 1,
            processors: self.threads,
            threads_per_group: threads,
            most_threads_per_processor: threads,
        })
    }

    /// A core that runs one group doesn't turn to another one before it has ended.
    fn has_cooperative_launches(&self) -> bool {
        false
    }

    /// Clusters alone are lacking: a launch has ended when the next one comes, and all memory has one cache.
    fn lacks(&self, attribute: Attribute) -> Option<String> {
        let reason = "the CPU runs a workgroup to its end before the next, and promises no two at the same time but to kernels of a \
             `&Cluster`";
        (attribute == Attribute::Cluster).then(|| reason.into())
    }

    /// The most workgroups of a cluster: as many as on the device where most fit.
    fn most_groups_in_cluster(&self, _: Loaded, _: &arch::Launch) -> Result<usize, Error> {
        Ok(16)
    }

    unsafe fn launch(&self, _: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let _turn = self.turn(launch.is_shared);
        // SAFETY: the caller's contract; `isa` was found on this machine.
        if let Err(error) = unsafe { schedule::run(launch, self.isa, self.threads, &self.printed) } {
            let mut panic = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match &mut *panic {
                Some(Error::KernelPanic { others, .. }) => *others += 1,
                none => *none = Some(error),
            }
            self.panicked.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn call_host(&self, _: StreamId, call: Arc<HostCall>) -> Result<(), Error> {
        call.run();
        Ok(())
    }

    fn make_graph(&self, _: &Work) -> Result<GraphId, Error> {
        Ok(GRAPH)
    }

    unsafe fn replay(&self, stream: StreamId, _: GraphId, work: &Work) -> Result<(), Error> {
        let _turn = self.turn(true);
        // SAFETY: the caller's contract; others wait for their turn.
        unsafe { work.run_in_order(self, stream) }
    }

    fn update_graph(&self, _: GraphId, _: &Work, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_graph(&self, _: GraphId) {}

    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn record(&self, _: StreamId) -> Result<Mark, Error> {
        Ok(Mark::Reached(Instant::now()))
    }

    /// Does nothing: what came before the mark has finished.
    fn wait(&self, _: StreamId, _: &Mark) -> Result<(), Error> {
        Ok(())
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        Ok(from.until(to))
    }

    fn forget(&self, _: &Mark) {}

    fn synchronize(&self, _: StreamId) -> Result<(), Error> {
        self.printed.hand_on();
        if !self.panicked.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut panic = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.panicked.store(false, Ordering::Release);
        panic.take().map_or(Ok(()), Err)
    }
}
