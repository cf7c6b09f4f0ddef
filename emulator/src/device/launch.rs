//! What a launch is given.

use std::fmt;

use crate::checks::Checks;
use crate::report::Print;

/// Sizes, parameters and limits of a launch.
///
/// ```
/// use gridwright_emulator::{Checks, Launch};
///
/// let mut launch = Launch::new([4, 1, 1], [256, 1, 1], &[]);
/// launch.checks = Checks::NONE;
/// launch.dynamic_shared = 1024;
/// assert_eq!(launch.grid, [4, 1, 1]);
/// ```
#[derive(Clone)]
pub struct Launch<'p> {
    /// Groups, along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a group, along x, y and z.
    pub block: [u32; 3],
    /// Bytes of workgroup memory beyond what the PTX declares.
    pub dynamic_shared: u32,
    /// The parameters' bytes, each at its offset.
    pub parameters: &'p [u8],
    /// Groups of a cluster, along x, y and z, which run together and reach each other's workgroup memory: one, if nothing else is
    /// said. The grid is a multiple of it.
    pub cluster: [u32; 3],
    /// What is checked: everything, if nothing else is said.
    pub checks: Checks,
    /// Whether all groups make progress together, so that they may wait for each other.
    pub cooperative: bool,
    /// Address of the grid's workspace, which a driver gives to cooperative launches and [`Module::uses_workspace`] asks for: a kernel
    /// reads its halves in `%envreg1` and `%envreg2`. 0, if nothing else is said.
    ///
    /// [`Module::uses_workspace`]: crate::Module::uses_workspace
    pub workspace: u64,
    /// Instructions that a warp may execute. More is a fault: 2³², if nothing else is said.
    pub instruction_limit: u64,
    /// Bytes of local memory that a thread may use, with the frames of functions: 1 MiB, if nothing else is said.
    pub stack_limit: u32,
    /// Findings that are kept: 100, if nothing else is said. All are counted.
    pub most_findings: usize,
    /// Whether what each line of the PTX costs is counted, for [`Report::lines`](crate::Report::lines). Without it nothing is spent
    /// on that.
    pub count_lines: bool,
    /// Function that is called with each text that the kernel prints, from any host thread. Without it,
    /// texts are in the report.
    pub print: Option<Print>,
}

impl<'p> Launch<'p> {
    /// A launch with all checks.
    #[must_use]
    pub fn new(grid: [u32; 3], block: [u32; 3], parameters: &'p [u8]) -> Self {
        Self {
            grid,
            block,
            dynamic_shared: 0,
            parameters,
            cluster: [1; 3],
            checks: Checks::ALL,
            cooperative: false,
            workspace: 0,
            instruction_limit: 1 << 32,
            stack_limit: 1 << 20,
            most_findings: 100,
            count_lines: false,
            print: None,
        }
    }
}

impl fmt::Debug for Launch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("grid", &self.grid)
            .field("block", &self.block)
            .field("dynamic_shared", &self.dynamic_shared)
            .field("parameters", &self.parameters.len())
            .field("checks", &self.checks)
            .finish_non_exhaustive()
    }
}
