//! The CPU as a device. A launch runs on the calling thread, with the pool's help where it is worth it,
//! and has finished when it returns: streams are in order by nature.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use gridwright_core::Limits;
use gridwright_device::arch::{self, Isa};

use super::{Backend, Code, Launch, Loaded};
use crate::Error;
use crate::printed::Printed;

mod chunks;
mod environment;
mod panic;
mod partition;
mod pool;
mod schedule;
#[cfg(test)]
mod tests;

/// A cache line, and as much as the widest vector needs.
const ALIGNMENT: usize = 64;

#[derive(Debug)]
pub(crate) struct Cpu {
    name: String,
    isa: Isa,
    threads: usize,
    panicked: AtomicBool,
    /// The panic that the next synchronisation reports.
    panic: Mutex<Option<Error>>,
    printed: Printed,
}

impl Cpu {
    /// # Errors
    /// [`Error::Environment`] for a `GRIDWRIGHT_CPU_THREADS`, `GRIDWRIGHT_CPU_ISA` or `GRIDWRIGHT_PRINT_BYTES` that means
    /// nothing here.
    pub(crate) fn open() -> Result<Self, Error> {
        let (isa, threads) = (environment::isa()?, environment::threads()?);
        panic::install_hook();
        let plural = if threads == 1 { "" } else { "s" };
        Ok(Self {
            name: format!("CPU, {threads} thread{plural}, {}", isa.name()),
            isa,
            threads,
            panicked: AtomicBool::new(false),
            panic: Mutex::new(None),
            printed: Printed::new()?,
        })
    }

    fn out_of_memory(&self, bytes: usize) -> Error {
        Error::OutOfMemory { device: self.name.clone(), requested: bytes as u128 }
    }
}

impl Backend for Cpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> &Limits {
        &Limits::PORTABLE
    }

    fn allocate(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| self.out_of_memory(bytes))?;
        // SAFETY: the layout isn't of zero bytes, by the trait's contract.
        NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(|| self.out_of_memory(bytes))
    }

    unsafe fn free(&self, memory: NonNull<u8>, bytes: usize) {
        // SAFETY: `allocate` accepted the layout, and gave this memory for it.
        unsafe { dealloc(memory.as_ptr(), Layout::from_size_align_unchecked(bytes, ALIGNMENT)) };
    }

    unsafe fn write(&self, to: NonNull<u8>, from: &[u8]) -> Result<(), Error> {
        // SAFETY: there is room, by contract; a host slice isn't device memory.
        unsafe { to.as_ptr().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(())
    }

    unsafe fn read(&self, from: NonNull<u8>, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: there are as many bytes, by contract; a host slice isn't device memory.
        unsafe { from.as_ptr().copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
        Ok(())
    }

    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error> {
        // SAFETY: there is room, by contract, so the product doesn't overflow.
        let bytes = unsafe { std::slice::from_raw_parts_mut(to.as_ptr(), pattern.len() * count) };
        for chunk in bytes.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        Ok(())
    }

    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        if matches!(code.cpu, arch::Cpu::Fibers(_)) && !arch::HAS_FIBERS {
            let reason = "it is an `unsafe fn`, whose threads wait for each other, which they can't on this target's CPU";
            return Err(Error::ImageMissing {
                kernel: code.name,
                device: self.name.clone(),
                reason: reason.into(),
            });
        }
        // The code is part of the program.
        Ok(Loaded(0))
    }

    unsafe fn launch(&self, launch: &Launch<'_>) -> Result<(), Error> {
        // SAFETY: the caller's contract; `isa` was found on this machine.
        if let Err(error) = unsafe { schedule::run(launch, self.isa, self.threads, &self.printed) } {
            let mut panic = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            panic.get_or_insert(error);
            self.panicked.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.printed.hand_on();
        if !self.panicked.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut panic = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.panicked.store(false, Ordering::Release);
        panic.take().map_or(Ok(()), Err)
    }
}
