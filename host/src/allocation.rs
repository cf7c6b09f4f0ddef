//! Device memory with its owner: a buffer, and the graphs that use it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Device;
use crate::submission::{Memory, Owner, Place};

/// Who frees memory that isn't ours, by being dropped.
#[cfg(feature = "dlpack")]
pub(crate) type Foreign = Box<dyn std::any::Any + Send>;

/// Memory that is freed when its last owner is dropped, behind its uses.
pub(crate) struct Allocation {
    device: Device,
    memory: Memory,
    bytes: usize,
    /// The owner of memory that isn't ours.
    #[cfg(feature = "dlpack")]
    foreign: Option<Foreign>,
    /// Whether a graph has the memory too, which the graph uses without a borrow.
    is_shared: AtomicBool,
}

// SAFETY: it is memory and no elements; the backend is thread-safe.
unsafe impl Send for Allocation {}
// SAFETY: threads that share it only read where the memory is; the flag is atomic, and the backend thread-safe.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// # Safety
    /// The device's backend has just allocated as many bytes.
    pub(crate) unsafe fn new(device: Device, memory: Memory, bytes: usize) -> Self {
        Self {
            device,
            memory,
            bytes,
            #[cfg(feature = "dlpack")]
            foreign: None,
            is_shared: AtomicBool::new(false),
        }
    }

    /// Says that a graph has the memory from now on. Whoever does so borrows the memory as the graph will use
    /// it, so that other uses that may conflict come after this, and see it.
    pub(crate) fn share(&self) {
        self.is_shared.store(true, Ordering::Relaxed);
    }

    /// The place where the memory begins.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        let Memory { pointer, id, home } = self.memory;
        Place { memory: id, pointer, home, is_shared: self.is_shared.load(Ordering::Relaxed) }
    }
}

#[cfg(feature = "dlpack")]
impl Allocation {
    /// Memory that its owner frees when it is dropped, which is when nobody uses it any more.
    ///
    /// # Safety
    /// The device's backend has just adopted the memory, and it has as many bytes until the owner is dropped.
    pub(crate) unsafe fn of_owner(device: Device, memory: Memory, bytes: usize, owner: Foreign) -> Self {
        Self { device, memory, bytes, foreign: Some(owner), is_shared: AtomicBool::new(false) }
    }

    /// Whether the memory isn't ours.
    #[cfg(feature = "cudarc")]
    pub(crate) fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }
}

#[cfg(feature = "cudarc")]
impl Allocation {
    /// The memory, which somebody else frees from here on. It is ours: it has no other owner.
    pub(crate) fn into_memory(self) -> Memory {
        let allocation = std::mem::ManuallyDrop::new(self);
        // SAFETY: read once, and not dropped. Nothing else in it needs to be: no owner, as the caller says.
        drop(unsafe { std::ptr::read(&raw const allocation.device) });
        allocation.memory
    }
}

impl Owner for Allocation {}

impl Drop for Allocation {
    fn drop(&mut self) {
        let (memory, bytes) = (self.memory, self.bytes);
        #[cfg(feature = "dlpack")]
        if let Some(owner) = self.foreign.take() {
            return self.device.outside_host_calls(move |device| {
                device.backend().release(memory);
                drop(owner);
            });
        }
        self.device.outside_host_calls(move |device| {
            // SAFETY: allocated as `new` asks. What used it borrowed its buffer, or was a replay, which the backend knows of.
            unsafe { device.backend().free(memory, bytes) };
        });
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allocation").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
