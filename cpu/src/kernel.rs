use gridwright_core::{CpuEntry, Isa, LaunchSizes};

use crate::launch_cost::LaunchCost;
use crate::{KernelPanic, Printer, schedule};

/// The processors that a launch may use.
#[derive(Clone, Copy, Debug)]
pub struct Processors {
    /// The instruction set, which this machine has.
    pub isa: Isa,
    /// The most threads, the caller's among them.
    pub threads: usize,
}

/// A kernel on the CPU: its code, and what its launches cost, by which the next one is shared with other threads or not.
///
/// ```
/// use gridwright_core::CpuEntry;
///
/// // Without code there is nothing to run.
/// let kernel = gridwright_cpu::Kernel::new(CpuEntry::Foreign);
/// ```
#[derive(Debug)]
pub struct Kernel {
    entry: CpuEntry,
    cost: LaunchCost,
}

impl Kernel {
    /// A kernel whose launches nothing is known of.
    pub fn new(entry: CpuEntry) -> Self {
        Self { entry, cost: LaunchCost::default() }
    }

    /// The picoseconds that a launch takes on one thread, by the last ones; the most if nothing is known of them.
    ///
    /// ```
    /// fn takes_a_second(kernel: &gridwright_cpu::Kernel, sizes: &gridwright_core::LaunchSizes) -> bool {
    ///     kernel.expected(sizes) > 1_000_000_000_000
    /// }
    /// ```
    #[inline]
    pub fn expected(&self, sizes: &LaunchSizes) -> u64 {
        match self.cost.of_launch(sizes) {
            0 => u64::MAX,
            picoseconds => picoseconds,
        }
    }

    /// Runs the kernel to its end, on the calling thread, with the help of others where that is worth it.
    ///
    /// # Errors
    /// The first panic. Chunks that others have begun by then are run to their end, and no more are begun.
    ///
    /// # Safety
    /// As the functions of [`CpuEntry`] ask, for all threads of the geometry: `arguments` points at the kernel's raw arguments, which
    /// point at memory that nobody else writes, nor reads where the kernel writes. This machine has the instruction set, and
    /// the kernel code for it.
    pub unsafe fn launch(
        &self,
        sizes: &LaunchSizes,
        arguments: *const (),
        processors: Processors,
        printer: &dyn Printer,
    ) -> Result<(), KernelPanic> {
        let launch = Launch { entry: self.entry, sizes, arguments };
        // SAFETY: the caller says that the arguments are this kernel's, that nobody else uses their memory, and that the machine has the
        // instruction set.
        unsafe { schedule::run(launch, &self.cost, processors, printer) }
    }
}

/// A launch as the engine has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'l> {
    pub(crate) entry: CpuEntry,
    pub(crate) sizes: &'l LaunchSizes,
    /// The kernel's raw arguments, which live until the launch has ended.
    pub(crate) arguments: *const (),
}
