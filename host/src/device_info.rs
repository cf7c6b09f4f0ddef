use crate::DeviceKind;

/// What a device is, for people and for tools; from [`Device::info`](crate::Device::info).
///
/// ```
/// let info = gridwright::Device::cpu()?.info()?;
/// assert!(info.processors >= 1);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// Members of `cudaDeviceProp`. What launches need of it is in [`Limits`](gridwright_core::Limits).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The architecture that code is compiled for: `sm_90`, `gfx1100`, or of the CPU the instruction set that
    /// kernels use, as `GRIDWRIGHT_CPU_ISA` names it. AMD's may have settings of the device behind it:
    /// `gfx942:sramecc+:xnack-`.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::major` and `minor`.
    pub architecture: String,
    /// Processors that run workgroups: multiprocessors, or threads of the CPU.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::multiProcessorCount`.
    pub processors: usize,
    /// Bytes of the device's own memory. The CPU's isn't asked for.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::totalGlobalMem`.
    pub memory_bytes: Option<usize>,
}

/// A driver of GPUs that is on this machine.
///
/// ```
/// match gridwright::DriverInfo::cuda() {
///     Ok(driver) => println!("{}, {} devices", driver.version, driver.devices),
///     Err(error) => println!("{error}"), // says what is missing, and what to do
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DriverInfo {
    /// The kind of the driver's devices.
    pub kind: DeviceKind,
    /// The driver's version: the newest CUDA that it is for, `12.5`, or HIP's release.
    ///
    /// # From CUDA
    /// `cudaDriverGetVersion`.
    pub version: String,
    /// The number of the driver's devices.
    ///
    /// # From CUDA
    /// `cudaGetDeviceCount`.
    pub devices: usize,
}
