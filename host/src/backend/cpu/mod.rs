//! The CPU as a device: memory of the host, and kernels that `gridwright-cpu` runs.

use gridwright_core::{CpuEntry, LaunchSizes};
use gridwright_cpu::fibers::HAS_FIBERS;
use gridwright_cpu::{KernelPanic, Printer, Processors, Workers};

use super::Printed;
use super::queued::{Engine, Queued, Ran};
use crate::submission::{Attribute, Code, Launch, LoadedKernel};
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy};

mod settings;
#[cfg(test)]
mod tests;

/// The CPU as a device.
pub(crate) type Cpu = Queued<Processor>;

/// The machine's processors, as one device.
#[derive(Debug)]
pub(crate) struct Processor {
    name: String,
    processors: Processors,
    printed: Printed,
}

/// A kernel whose code is part of the program.
#[derive(Debug)]
pub(crate) struct Kernel {
    code: &'static Code,
    engine: gridwright_cpu::Kernel,
}

impl LoadedKernel for Kernel {}

impl Cpu {
    /// # Errors
    /// [`Error::Environment`] for a `GRIDWRIGHT_CPU_THREADS`, `GRIDWRIGHT_CPU_ISA` or `GRIDWRIGHT_PRINT_BYTES` that means
    /// nothing here.
    pub(crate) fn open() -> Result<Self, Error> {
        let (isa, threads) = (settings::isa()?, settings::threads()?);
        gridwright_cpu::install_hook();
        let plural = if threads == 1 { "" } else { "s" };
        let name = format!("CPU, {threads} thread{plural}, {}", isa.name());
        let processor = Processor { name, processors: Processors { isa, threads }, printed: Printed::new()? };
        // With one thread, it is the caller's.
        Ok(Self::new(processor, threads > 1))
    }
}

impl Engine for Processor {
    type Kernel = Kernel;

    const KIND: DeviceKind = DeviceKind::Cpu;

    fn name(&self) -> &str {
        &self.name
    }

    fn info(&self) -> DeviceInfo {
        let architecture = self.processors.isa.name().to_owned();
        DeviceInfo { architecture, processors: self.processors.threads, memory_bytes: None }
    }

    fn workers(&self) -> Option<Workers> {
        Some(Workers::new(self.processors))
    }

    /// Clusters alone are lacking: a launch has ended when the next one comes, and all memory has one cache.
    fn lacks(&self, attribute: Attribute) -> Option<String> {
        let reason = "the CPU runs a workgroup to its end before the next, and promises no two at the same time but to kernels of a \
             `&Cluster`";
        (attribute == Attribute::Cluster).then(|| reason.into())
    }

    /// Another opening of the CPU is the same memory.
    fn shares_memory(&self) -> bool {
        true
    }

    fn load(&self, code: &'static Code) -> Result<Kernel, Error> {
        let reason = match code.cpu {
            CpuEntry::Foreign => "it was compiled elsewhere, for NVIDIA's GPUs; set GRIDWRIGHT_DEVICE=cuda:0",
            CpuEntry::Off => {
                "its author says `cpu = off`, as it is for GPUs alone; its library may have other code for the CPU"
            }
            CpuEntry::Fibers(_) if !HAS_FIBERS => {
                "it is an `unsafe fn`, whose threads wait for each other, which they can't on this target's CPU"
            }
            // The code is part of the program.
            _ if self.processors.isa.is_in(code.images.cpu) => {
                return Ok(Kernel { code, engine: gridwright_cpu::Kernel::new(code.cpu) });
            }
            _ => {
                "the program has code for one instruction set alone, as GRIDWRIGHT_CPU_CODE or `cpu-code` says, and this is \
                 another: build it without that, or where the machine has it, set GRIDWRIGHT_CPU_ISA to that one"
            }
        };
        let device = self.name.clone();
        Err(Error::ImageMissing { kernel: code.name, device, reason: reason.into() })
    }

    fn attributes(&self, kernel: &Kernel) -> Attributes {
        let (code, most) = (kernel.code, self.limits().threads_per_group);
        Attributes {
            registers: None,
            local_bytes: 0,
            constant_bytes: 0,
            workgroup_bytes: code.fixed_bytes,
            loaded_bytes: 0,
            most_threads: code.bounds.most_threads.unwrap_or(most).min(most),
        }
    }

    /// A core runs one workgroup at a time, whatever its size.
    fn occupancy(&self, _: &Kernel, threads: usize, _: usize) -> Occupancy {
        Occupancy {
            groups_per_processor: 1,
            processors: self.processors.threads,
            threads_per_group: threads,
            most_threads_per_processor: threads,
        }
    }

    #[inline]
    fn expected(&self, kernel: &Kernel, sizes: &LaunchSizes) -> u64 {
        kernel.engine.expected(sizes)
    }

    unsafe fn launch(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<Ran, Error> {
        // SAFETY: the caller checked sizes and arguments, and keeps others from their memory; the instruction set was found on this machine, and `load` saw that the kernel
        // has code for it.
        let ran =
            unsafe { kernel.engine.launch(&launch.sizes, launch.arguments, self.processors, &self.printed) };
        Ok(ran.map_or_else(|panic| Ran::Failed(failed(launch.code.name, panic)), |()| Ran::ToItsEnd))
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }
}

/// A panic as the error that the next call that waits is told.
pub(super) fn failed(kernel: &'static str, panic: KernelPanic) -> Error {
    let KernelPanic { message, file, line, column, group, thread } = panic;
    Error::KernelPanic { kernel, message, file, line, column, group, thread, others: 0 }
}

impl Printer for Printed {
    fn room(&self) -> usize {
        Self::room(self)
    }

    fn add(&self, lines: Vec<(usize, String)>, dropped: u64) {
        Self::add(self, lines, dropped);
    }
}
