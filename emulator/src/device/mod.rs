//! A device, what is loaded on it, and launches.

mod launch;
mod launching;
mod loaded;
mod textures;

pub use launch::Launch;
pub use loaded::Loaded;

use std::sync::Arc;
use std::thread;

use crate::machine::Approximations;
use crate::memory::DeviceMemory;
use crate::module::Module;
use crate::report::{LoadError, MemoryError};
use crate::texture::Objects;

/// What a device is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Bytes of device memory.
    pub capacity: u64,
    /// Host threads that run groups; 0 for as many as the host has processors.
    pub host_threads: usize,
    /// The most bytes of workgroup memory of a group.
    pub workgroup_memory: u32,
    /// What approximate instructions give.
    pub approximations: Approximations,
}

impl Default for DeviceOptions {
    /// 16 GiB of memory, of which the host gives what is touched; all processors; 227 KiB for a group; the nearest results.
    fn default() -> Self {
        Self {
            capacity: 16 << 30,
            host_threads: 0,
            workgroup_memory: 227 << 10,
            approximations: Approximations::Nearest,
        }
    }
}

/// An emulated GPU. Clones share it.
///
/// ```
/// use gridwright_emulator::Device;
///
/// let device = Device::new();
/// let address = device.alloc(8)?;
/// device.write(address, &[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let mut bytes = [0; 2];
/// device.read(address + 6, &mut bytes)?;
/// assert_eq!(bytes, [7, 8]);
/// device.free(address)?;
/// assert!(device.read(address, &mut bytes).is_err());
/// # Ok::<(), gridwright_emulator::MemoryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Device {
    pub(crate) memory: Arc<DeviceMemory>,
    pub(crate) objects: Arc<Objects>,
    pub(crate) options: DeviceOptions,
}

impl Default for Device {
    fn default() -> Self {
        Self::new()
    }
}

impl Device {
    /// A device with [`DeviceOptions::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(DeviceOptions::default())
    }

    /// A device with options.
    #[must_use]
    pub fn with_options(mut options: DeviceOptions) -> Self {
        if options.host_threads == 0 {
            options.host_threads = thread::available_parallelism().map_or(1, usize::from);
        }
        let memory = Arc::new(DeviceMemory::new(options.capacity));
        Self { memory, objects: Arc::default(), options }
    }

    /// The options, with the number of host threads that was chosen.
    #[must_use]
    pub fn options(&self) -> DeviceOptions {
        self.options
    }

    /// Memory of this many bytes, at a multiple of 512. It is zeroed and counts as never written. An allocation of no bytes has
    /// an address too. Addresses aren't used again after `free`.
    ///
    /// # Errors
    /// [`MemoryError::OutOfMemory`].
    pub fn alloc(&self, bytes: u64) -> Result<u64, MemoryError> {
        self.memory.allocate(bytes, None, false)
    }

    /// Gives memory back. A launch that runs meanwhile may still reach it, and nothing else.
    ///
    /// # Errors
    /// Where no allocation begins at the address.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)
    }

    /// Bytes of device memory in all.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.memory.capacity()
    }

    /// Bytes of device memory that are allocated.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.memory.used()
    }

    /// Start and bytes of the allocation, variable or mapped memory that holds an address.
    ///
    /// # Errors
    /// Where there is none.
    pub fn allocation(&self, address: u64) -> Result<(u64, u64), MemoryError> {
        let (backing, offset) = self.memory.range(address, 0)?;
        Ok((address - offset as u64, backing.len() as u64))
    }

    /// Copies bytes from the device.
    ///
    /// # Errors
    /// Where no allocation holds the range.
    pub fn read(&self, address: u64, target: &mut [u8]) -> Result<(), MemoryError> {
        let bytes = target.len() as u64;
        let (backing, offset) = self.memory.range(address, bytes)?;
        if backing.read(offset, target) { Ok(()) } else { Err(MemoryError::OutOfBounds { address, bytes }) }
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// Where no allocation holds the range.
    pub fn write(&self, address: u64, source: &[u8]) -> Result<(), MemoryError> {
        self.memory.write(address, source)
    }

    /// Writes a pattern `count` times, one behind the other.
    ///
    /// # Errors
    /// Where no allocation holds the range.
    pub fn fill(&self, address: u64, pattern: &[u8], count: u64) -> Result<(), MemoryError> {
        let length = pattern.len() as u64;
        let bytes = length.saturating_mul(count);
        self.memory.range(address, bytes)?;
        if length == 0 {
            return Ok(());
        }
        // In pieces of some size: a write of one element each would be slow.
        let at_once = (4096 / length).max(1).min(count.max(1));
        let piece = pattern.repeat(at_once as usize);
        let mut done = 0;
        while done < count {
            let now = at_once.min(count - done);
            self.write(address + done * length, &piece[..(now * length) as usize])?;
            done += now;
        }
        Ok(())
    }

    /// Copies bytes on the device. The ranges may overlap. What counts as never written in the source does
    /// so in the target.
    ///
    /// # Errors
    /// Where no allocation holds one of the ranges.
    pub fn copy(&self, from: u64, to: u64, bytes: u64) -> Result<(), MemoryError> {
        self.memory.range(to, bytes)?;
        let (backing, offset) = self.memory.range(from, bytes)?;
        let mut between = vec![0; bytes as usize];
        backing.read(offset, &mut between);
        let unwritten = backing.unwritten(offset, between.len());
        self.write(to, &between)?;
        for (start, len) in unwritten {
            self.mark_initialised(to + start as u64, len as u64, false)?;
        }
        Ok(())
    }

    /// Makes bytes count as written, or as never written, for the check of uninitialised reads.
    ///
    /// # Errors
    /// Where no allocation holds the range.
    pub fn mark_initialised(&self, address: u64, bytes: u64, initialised: bool) -> Result<(), MemoryError> {
        let (backing, offset) = self.memory.range(address, bytes)?;
        backing.mark(offset, bytes as usize, initialised);
        Ok(())
    }

    /// Lets kernels reach memory of the host, at its own address, which is returned. It counts as written.
    ///
    /// # Errors
    /// [`MemoryError::NotMappable`].
    ///
    /// # Safety
    /// - `len` bytes at `pointer` are valid for reads and writes until they are unmapped, and each launch and each call that began before
    ///   is over.
    /// - While a launch or a call runs, others access what it accesses only by atomic operations.
    pub unsafe fn map(&self, pointer: *mut u8, len: usize) -> Result<u64, MemoryError> {
        // SAFETY: the caller says that the bytes stay, and that others access them atomically meanwhile.
        unsafe { self.memory.map(pointer, len) }
    }

    /// Ends what [`map`](Self::map) began.
    ///
    /// # Errors
    /// Where no mapping begins at the address.
    pub fn unmap(&self, address: u64) -> Result<(), MemoryError> {
        self.memory.unmap(address)
    }

    /// Gives a device address to memory that other processes have too. It counts as written. [`free`](Self::free) ends it.
    ///
    /// # Errors
    /// If that is too much.
    ///
    /// # Safety
    /// The bytes are valid for reads and writes until the address is freed and no launch and no call runs that began before. Others
    /// access them meanwhile only atomically, or synchronised with what kernels do.
    pub unsafe fn adopt(&self, pointer: *mut u8, len: usize) -> Result<u64, MemoryError> {
        // SAFETY: the caller says that the bytes stay, and that others access them atomically meanwhile.
        unsafe { self.memory.adopt(pointer, len) }
    }

    /// Moves an allocation into memory that other processes have too. Its address stays, and all of it counts as written from then on. A
    /// texture that was made of it before is none any more.
    ///
    /// # Errors
    /// If no allocation begins at the address.
    ///
    /// # Safety
    /// As [`adopt`](Self::adopt), for as many bytes as the allocation has. No launch and no call runs that uses it.
    pub unsafe fn relocate(&self, address: u64, pointer: *mut u8) -> Result<(), MemoryError> {
        // SAFETY: the caller says that as many bytes as the allocation has stay, and that nothing uses it now.
        unsafe { self.memory.relocate(address, pointer) }
    }

    /// Places a module's variables in memory, with their initial values.
    ///
    /// # Errors
    /// Where a name is nowhere defined, or there is no memory.
    pub fn load(&self, module: &Module) -> Result<Loaded, LoadError> {
        Loaded::new(&self.memory, &self.objects, module)
    }

    /// Frees a module's variables. Dropping the last clone of it does the same.
    pub fn unload(&self, loaded: Loaded) {
        loaded.unload();
    }
}
