//! What a launch tells: counts, findings, printed text, errors.

mod collect;
mod counts;
mod error;
mod finding;

pub(crate) use collect::Collected;
pub use counts::Counts;
pub use error::{LaunchError, LoadError, MemoryError};
pub use finding::{Allocation, Finding, FindingKind, MemoryAccess, Party, SourceLocation, Space};

use std::collections::BTreeMap;
use std::sync::Arc;

/// A function that takes what kernels print.
pub type Print = Arc<dyn Fn(&str) + Send + Sync>;

/// What a launch did.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Instructions, counted once for each thread that executed them.
    pub thread_instructions: u64,
    /// Instructions, counted once for each warp that executed them together.
    pub warp_instructions: u64,
    /// Groups that ran to their end.
    pub groups: u64,
    /// What the checks found: the first of each kind at each instruction, with how often it was seen.
    pub findings: Vec<Finding>,
    /// All that was found, with what `findings` has no room for.
    pub total_findings: u64,
    /// What each line of the PTX cost, of lines that were executed; empty unless [`Launch::count_lines`](crate::Launch::count_lines)
    /// is set. An instruction that the emulator executes in several steps is one here, and is as many in `warp_instructions`.
    pub lines: BTreeMap<u32, Counts>,
    /// What the kernel printed, unless the launch has a function for it.
    pub output: String,
}
