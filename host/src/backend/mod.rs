//! What a driver has to offer, and the drivers.

use std::fmt::Debug;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

use gridwright_core::Limits;
use gridwright_device::arch;

use crate::Error;
use crate::printed::Printed;

mod code;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;

pub(crate) use code::Code;
pub(crate) use cpu::Cpu;
#[cfg(feature = "cuda")]
pub(crate) use cuda::Cuda;

/// A device's driver. All checks are done above it: sizes, lengths and owners are right when it is called.
///
/// For now each call has finished when it returns, on every backend.
pub(crate) trait Backend: Debug + Send + Sync {
    /// The device's name, for people.
    fn name(&self) -> &str;

    /// What the device can launch.
    fn limits(&self) -> &Limits;

    /// Memory of a number of bytes that isn't zero, all of them zero, aligned to at least 64.
    fn allocate(&self, bytes: usize) -> Result<NonNull<u8>, Error>;

    /// Gives memory back.
    ///
    /// # Safety
    /// It came from `allocate` with as many bytes, and nobody uses it any more.
    unsafe fn free(&self, memory: NonNull<u8>, bytes: usize);

    /// Copies to the device, at least a byte.
    ///
    /// # Safety
    /// `to` has room for `from`.
    unsafe fn write(&self, to: NonNull<u8>, from: &[u8]) -> Result<(), Error>;

    /// Copies to the host, at least a byte.
    ///
    /// # Safety
    /// `from` has as many bytes.
    unsafe fn read(&self, from: NonNull<u8>, to: &mut [u8]) -> Result<(), Error>;

    /// Repeats a pattern of at least a byte, at least once.
    ///
    /// # Safety
    /// `to` has room for `count` of them.
    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error>;

    /// Makes a kernel ready.
    fn load(&self, code: &'static Code) -> Result<Loaded, Error>;

    /// Runs a kernel.
    ///
    /// # Safety
    /// As the functions of [`gridwright_device::arch::Cpu`] ask, for all threads of the geometry; `launch.loaded` is
    /// this backend's.
    unsafe fn launch(&self, launch: &Launch<'_>) -> Result<(), Error>;

    /// The lines that kernels printed.
    fn printed(&self) -> &Printed;

    /// Waits for all work, hands printed lines on, and returns the first kernel panic since the last call, once.
    fn synchronize(&self) -> Result<(), Error>;
}

/// What a backend knows a loaded kernel by; it is the backend's own business.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "the CPU's kernels are part of the program"))]
pub(crate) struct Loaded(usize);

/// A checked launch.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only a GPU's kernels are loaded"))]
pub(crate) struct Launch<'l> {
    pub(crate) code: &'static Code,
    pub(crate) loaded: Loaded,
    /// Threads, workgroups, and workgroup memory.
    pub(crate) sizes: arch::Launch,
    /// The kernel's raw arguments, which live until the launch returns.
    pub(crate) arguments: *const (),
    /// What a thread of this kernel cost when it was last run, in picoseconds; zero if it wasn't. The backend
    /// keeps it.
    pub(crate) pace: &'l AtomicU64,
}
