//! What a driver has to offer, and the drivers.

use std::fmt::Debug;
use std::ptr::NonNull;

use gridwright_core::{Geometry, Limits};
use gridwright_device::arch::Entry;

use crate::Error;

mod cpu;

pub(crate) use cpu::Cpu;

/// A device's driver. All checks are done above it: sizes, lengths and owners are right when it is called.
pub(crate) trait Backend: Debug + Send + Sync {
    /// The device's name, for people.
    fn name(&self) -> &str;

    /// What the device can launch.
    fn limits(&self) -> &Limits;

    /// Memory of a number of bytes that isn't zero, all of them zero, aligned to at least 64.
    fn allocate(&self, bytes: usize) -> Result<NonNull<u8>, Error>;

    /// Gives memory back once the work submitted so far is done.
    ///
    /// # Safety
    /// It came from `allocate` with as many bytes, and nobody uses it any more.
    unsafe fn free(&self, memory: NonNull<u8>, bytes: usize);

    /// Copies to the device.
    ///
    /// # Safety
    /// `to` has room for `from`.
    unsafe fn write(&self, to: NonNull<u8>, from: &[u8]) -> Result<(), Error>;

    /// Copies to the host, and waits for it.
    ///
    /// # Safety
    /// `from` has as many bytes.
    unsafe fn read(&self, from: NonNull<u8>, to: &mut [u8]) -> Result<(), Error>;

    /// Repeats a pattern.
    ///
    /// # Safety
    /// `to` has room for `count` of them.
    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error>;

    /// Starts a kernel.
    ///
    /// # Safety
    /// As [`run_chunk`](gridwright_device::arch::run_chunk) asks, for each chunk of the geometry.
    unsafe fn launch(&self, launch: &Launch) -> Result<(), Error>;

    /// Waits for all work, and returns the first kernel panic since the last call, once.
    fn synchronize(&self) -> Result<(), Error>;
}

/// A checked launch.
pub(crate) struct Launch {
    pub(crate) kernel: &'static str,
    pub(crate) entry: Entry,
    pub(crate) geometry: Geometry,
    /// The kernel's raw arguments, which live until the launch returns.
    pub(crate) arguments: *const (),
}
