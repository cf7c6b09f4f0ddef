use std::fmt;

/// The kind of a [`Device`](crate::Device).
///
/// ```
/// use gridwright::DeviceKind;
/// use gridwright::prelude::*;
///
/// let device = Device::cpu()?;
/// assert_eq!(device.kind(), DeviceKind::Cpu);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The CPU.
    Cpu,
    /// A GPU by NVIDIA's driver.
    Cuda,
    /// A GPU by HIP, AMD's runtime.
    Hip,
    /// An emulated GPU in the program itself.
    Emulator,
}

impl fmt::Display for DeviceKind {
    /// Writes the kind as `GRIDWRIGHT_DEVICE` names it, without an index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::Hip => "hip",
            Self::Emulator => "emulator",
        })
    }
}
