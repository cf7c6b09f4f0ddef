//! A device to learn from: it runs everything at once, on the calling thread. It is how a backend is added, and is tested as the
//! others are. Behind the feature `toy`, for tests.
//!
//! What another device of this kind needs is here: a name, what it is, how a kernel is loaded, and how it runs. All else is the
//! queue's, [`Queued`]. A device whose work goes on after the call has returned implements the traits of
//! [`backend`](super) itself, as [`driver`](super::gpu) does.

use gridwright_core::{Chunk, CpuEntry, Isa, LaunchSizes, Rect};
use gridwright_cpu::{install_hook, run_part};

use super::Printed;
use super::cpu::failed;
use super::queued::{Engine, Queued, Ran};
use crate::submission::{Attribute, Code, Launch, LoadedKernel};
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy};

/// The toy as a device.
pub(crate) type Toy = Queued<CallingThread>;

/// The thread that calls.
#[derive(Debug)]
pub(crate) struct CallingThread {
    printed: Printed,
}

/// A kernel whose code is part of the program.
#[derive(Debug)]
pub(crate) struct Kernel {
    code: &'static Code,
}

impl LoadedKernel for Kernel {}

impl Toy {
    /// # Errors
    /// [`Error::Environment`] for a `GRIDWRIGHT_PRINT_BYTES` that means nothing.
    pub(crate) fn open() -> Result<Self, Error> {
        install_hook();
        Ok(Self::new(CallingThread { printed: Printed::new()? }, false))
    }
}

impl Engine for CallingThread {
    type Kernel = Kernel;

    /// Its kernels are the CPU's.
    const KIND: DeviceKind = DeviceKind::Cpu;

    fn name(&self) -> &str {
        "toy, on the calling thread"
    }

    fn info(&self) -> DeviceInfo {
        DeviceInfo { architecture: Isa::Baseline.name().into(), processors: 1, memory_bytes: None }
    }

    fn lacks(&self, attribute: Attribute) -> Option<String> {
        (attribute == Attribute::Cluster).then(|| "the toy runs one workgroup after another".into())
    }

    fn load(&self, code: &'static Code) -> Result<Kernel, Error> {
        let is_there = match code.cpu {
            CpuEntry::Foreign | CpuEntry::Off | CpuEntry::Fibers(_) => false,
            _ => Isa::Baseline.is_in(code.images.cpu),
        };
        if is_there {
            return Ok(Kernel { code });
        }
        let reason = "the toy runs safe kernels that have code for the baseline".into();
        Err(Error::ImageMissing { kernel: code.name, device: self.name().into(), reason })
    }

    fn attributes(&self, kernel: &Kernel) -> Attributes {
        Attributes {
            registers: None,
            local_bytes: 0,
            constant_bytes: 0,
            workgroup_bytes: kernel.code.fixed_bytes,
            loaded_bytes: 0,
            most_threads: kernel.code.bounds.most_threads.unwrap_or(self.limits().threads_per_group),
        }
    }

    fn occupancy(&self, _: &Kernel, threads: usize, _: usize) -> Occupancy {
        Occupancy {
            groups_per_processor: 1,
            processors: 1,
            threads_per_group: threads,
            most_threads_per_processor: threads,
        }
    }

    unsafe fn launch(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<Ran, Error> {
        // SAFETY: the caller has checked sizes and arguments, and nobody else uses their memory.
        let ran =
            run_part(&self.printed, || unsafe { run(kernel.code.cpu, &launch.sizes, launch.arguments) });
        Ok(ran.map_or_else(|panic| Ran::Failed(failed(kernel.code.name, panic)), |()| Ran::ToItsEnd))
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }
}

/// Runs a kernel's code: all threads of a plane, or all groups, at once.
///
/// # Safety
/// As for the functions of [`CpuEntry`]; every machine has the baseline.
unsafe fn run(entry: CpuEntry, sizes: &LaunchSizes, arguments: *const ()) {
    let groups = 0..sizes.geometry.groups.iter().product();
    match entry {
        CpuEntry::Threads(run) => {
            let [cols, rows, planes] = sizes.geometry.threads;
            for plane in 0..planes {
                let all = Rect { rows: 0..rows, cols: 0..cols };
                let mut chunk = Chunk { launch: sizes, plane, owned: all.clone(), running: all };
                // SAFETY: a chunk of whole rows of one plane, which nobody else runs; the caller says the rest.
                unsafe { run(Isa::Baseline, &mut chunk, arguments) };
            }
        }
        // SAFETY: all groups of the launch, each once; the caller says the rest.
        CpuEntry::Groups(run) | CpuEntry::Grid(run) => unsafe {
            run(Isa::Baseline, sizes, groups, arguments);
        },
        // SAFETY: all clusters of the launch, each once; the caller says the rest.
        CpuEntry::Clusters(run) => unsafe {
            run(Isa::Baseline, sizes, 0..groups.end / sizes.cluster.max(1), arguments);
        },
        // They aren't loaded.
        CpuEntry::Fibers(_) | CpuEntry::Foreign | CpuEntry::Off => {}
    }
}
