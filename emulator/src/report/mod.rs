//! What a launch tells: counts, findings, printed text, errors.

mod collect;
mod error;
mod finding;

pub(crate) use collect::Collected;
pub use error::{LaunchError, LoadError, MemoryError};
pub use finding::{Allocation, Finding, FindingKind, MemoryAccess, Party, SourceLocation, Space};

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
    /// What the kernel printed, unless the launch has a function for it.
    pub output: String,
}
