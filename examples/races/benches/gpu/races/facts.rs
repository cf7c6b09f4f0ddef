//! What the device is.

use std::fmt;

use cudarc::driver::sys::{CUdevice_attribute, cuDriverGetVersion};
use serde::Serialize;

use super::driver::Driver;

#[derive(Serialize)]
pub(crate) struct Facts {
    name: String,
    pub(crate) is_emulated: bool,
    /// As compilers call it, such as `sm_90`.
    architecture: String,
    /// The release of CUDA that the driver is of.
    cuda: String,
    multiprocessors: i32,
    /// The highest clock of multiprocessors.
    clock_mhz: i32,
    memory_clock_mhz: i32,
    memory_bus_bits: i32,
    l2_bytes: i32,
    memory_bytes: usize,
}

impl Facts {
    pub(crate) fn of(driver: &Driver) -> anyhow::Result<Self> {
        use CUdevice_attribute as A;
        let context = &driver.context;
        let (major, minor) = context.compute_capability()?;
        let name = context.name()?;
        Ok(Self {
            // What our emulated driver says of itself.
            is_emulated: name.contains("no hardware"),
            name,
            architecture: format!("sm_{major}{minor}"),
            cuda: version()?,
            multiprocessors: context.attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            clock_mhz: context.attribute(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000,
            memory_clock_mhz: context.attribute(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)? / 1000,
            memory_bus_bits: context.attribute(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
            l2_bytes: context.attribute(A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?,
            memory_bytes: context.total_mem()?,
        })
    }
}

fn version() -> anyhow::Result<String> {
    let mut version = 0;
    // SAFETY: a number to write.
    unsafe { cuDriverGetVersion(&raw mut version) }.result()?;
    Ok(format!("{}.{}", version / 1000, version % 1000 / 10))
}

/// A line each, which `run.sh` reads.
impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "device: {}", self.name)?;
        writeln!(f, "emulated: {}", if self.is_emulated { "yes" } else { "no" })?;
        writeln!(f, "architecture: {}", self.architecture)?;
        writeln!(f, "driver: CUDA {}", self.cuda)?;
        writeln!(f, "multiprocessors: {}, {} MHz", self.multiprocessors, self.clock_mhz)?;
        writeln!(
            f,
            "memory: {} MiB, {} MHz, {} bits wide, {} KiB of L2",
            self.memory_bytes >> 20,
            self.memory_clock_mhz,
            self.memory_bus_bits,
            self.l2_bytes >> 10
        )
    }
}
