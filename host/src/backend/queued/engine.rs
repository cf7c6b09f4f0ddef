//! What a device is asked for whose work is done when the call returns.

use std::fmt::Debug;
use std::ptr::NonNull;

use gridwright_core::{HeapUsage, LaunchSizes, Limits};
use gridwright_cpu::Workers;

use crate::backend::{Printed, host_allocation};
use crate::submission::{Attribute, Code, Contents, Launch, LoadedKernel, TextureObjects, TextureShape};
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy};

/// A device that does what it is told before the call returns. Its memory is the host's, unless it says otherwise; the queue
/// around it, [`Queued`](super::Queued), keeps the uses of memory that graphs use too apart, and is all that the host sees.
pub(crate) trait Engine: Debug + Send + Sync + Sized + 'static {
    /// A loaded kernel.
    type Kernel: LoadedKernel;

    const KIND: DeviceKind;

    /// The device's name, for people.
    fn name(&self) -> &str;

    /// The limits of what the device can launch.
    fn limits(&self) -> &Limits {
        &Limits::PORTABLE
    }

    /// The device's architecture, processors and memory.
    fn info(&self) -> DeviceInfo;

    /// The threads for functions of the program, if they can use the memory.
    fn workers(&self) -> Option<Workers> {
        None
    }

    /// Whether workgroups that run at the same time may wait for each other.
    fn has_cooperative_launches(&self) -> bool {
        false
    }

    /// Why launches can't have an attribute, if they can't.
    fn lacks(&self, _: Attribute) -> Option<String> {
        None
    }

    /// Whether memory of another device of the kind is this one's too.
    fn shares_memory(&self) -> bool {
        false
    }

    /// Memory of a number of bytes that isn't zero, aligned to at least 64.
    fn allocate(&self, bytes: usize, _: Contents) -> Result<NonNull<u8>, Error> {
        self.allocate_of_host(bytes)
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// `allocate` gave it for as many bytes, and nobody uses it any more.
    unsafe fn free(&self, memory: NonNull<u8>, bytes: usize) {
        // SAFETY: `allocate_of_host` gave it: an engine with an `allocate` of its own has a `free` of its own.
        unsafe { host_allocation::give_back(memory, bytes) };
    }

    /// Memory of the host, all zeros.
    fn allocate_of_host(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        host_allocation::zeroed(bytes).ok_or_else(|| Error::OutOfMemory {
            device: self.name().to_owned(),
            requested: bytes as u128,
            free: None,
            total: None,
        })
    }

    /// Lets kernels reach memory of the host, at its own address.
    ///
    /// # Safety
    /// The memory has as many bytes, and stays until it is unmapped. What launches do with it, nobody does meanwhile.
    unsafe fn map(&self, _: NonNull<u8>, _bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Takes memory of the host away from kernels again: whether none can reach it any more.
    fn unmap(&self, _: NonNull<u8>) -> bool {
        true
    }

    /// Copies to the device.
    ///
    /// # Safety
    /// `to` has room for as many bytes, and nobody else uses either.
    unsafe fn write(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that there is room; memory of the device isn't memory of the program's own.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    /// Copies to the host.
    ///
    /// # Safety
    /// As for [`write`](Self::write), the other way round.
    unsafe fn read(&self, from: NonNull<u8>, to: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that there is room; memory of the device isn't memory of the program's own.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    /// Copies on the device.
    ///
    /// # Safety
    /// Both have as many bytes, don't overlap, and nobody else uses either.
    unsafe fn copy(&self, from: NonNull<u8>, to: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that both have as many bytes and don't overlap, and keeps others from them.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    /// Repeats a pattern of at least a byte, at least once.
    ///
    /// # Safety
    /// `to` has room for `count` of them, and nobody else uses it.
    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error> {
        // SAFETY: the caller says that there is room, so that the product doesn't overflow.
        let bytes = unsafe { std::slice::from_raw_parts_mut(to.as_ptr(), pattern.len() * count) };
        for chunk in bytes.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        Ok(())
    }

    /// The host's address of memory of the device, if the host reaches it.
    fn host_address(&self, memory: NonNull<u8>) -> Option<NonNull<u8>> {
        Some(memory)
    }

    /// What the engine does with textures. None where they are plain memory, row after row.
    fn textures(&self) -> Option<&dyn TextureEngine> {
        None
    }

    /// Makes a kernel ready.
    fn load(&self, code: &'static Code) -> Result<Self::Kernel, Error>;

    /// What a kernel takes of the device.
    fn attributes(&self, kernel: &Self::Kernel) -> Attributes;

    /// How many workgroups of so many threads and bytes of workgroup memory run at the same time.
    fn occupancy(&self, kernel: &Self::Kernel, threads: usize, bytes: usize) -> Occupancy;

    /// The most workgroups of a cluster.
    fn most_groups_in_cluster(&self) -> usize {
        16
    }

    /// The picoseconds that a launch will take on one thread, as far as is known, by which the queue does it at once or not.
    fn expected(&self, _: &Self::Kernel, _: &LaunchSizes) -> u64 {
        u64::MAX
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// Why nothing was launched. How a launch failed that did begin is in [`Ran`].
    ///
    /// # Safety
    /// As for [`Launches::launch`](crate::backend::Launches::launch); `kernel` is the one of the launch.
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch<'_>) -> Result<Ran, Error>;

    /// The lines that kernels printed.
    fn printed(&self) -> &Printed;

    /// Hands on what kernels left since the last call, and returns the first panic among it.
    fn report(&self) -> Result<(), Error> {
        self.printed().hand_on();
        Ok(())
    }

    /// Lets the heap of kernels have at least as many bytes, empty.
    fn set_heap_bytes(&self, _bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// What kernels have of their heap.
    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        Ok(HeapUsage::default())
    }
}

/// What became of a launch that began.
#[derive(Debug)]
pub(crate) enum Ran {
    ToItsEnd,
    /// The launch failed, which the next call that waits is told.
    Failed(Error),
}

/// Textures that aren't plain memory.
pub(crate) trait TextureEngine {
    /// A texture, by a pointer that only the engine follows.
    fn allocate(&self, shape: &TextureShape) -> Result<NonNull<u8>, Error>;

    /// Gives a texture back.
    ///
    /// # Safety
    /// `allocate` gave it, and nobody uses it any more.
    unsafe fn free(&self, texture: NonNull<u8>);

    /// What kernels are given of a texture.
    ///
    /// # Safety
    /// `allocate` gave it, and it isn't given back.
    unsafe fn objects(&self, texture: NonNull<u8>) -> TextureObjects;

    /// Copies all texels from the host, row after row.
    ///
    /// # Safety
    /// As for [`objects`](Self::objects), and there are as many bytes.
    unsafe fn write(&self, texture: NonNull<u8>, from: &[u8]) -> Result<(), Error>;

    /// Copies all texels to the host.
    ///
    /// # Safety
    /// As for [`write`](Self::write).
    unsafe fn read(&self, texture: NonNull<u8>, to: &mut [u8]) -> Result<(), Error>;

    /// Copies all texels from memory of the device.
    ///
    /// # Safety
    /// As for [`write`](Self::write).
    unsafe fn copy(&self, from: NonNull<u8>, texture: NonNull<u8>, bytes: usize) -> Result<(), Error>;
}
