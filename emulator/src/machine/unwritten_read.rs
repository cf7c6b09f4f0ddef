//! Reads of bytes that nothing wrote.

use super::memory_use::Use;
use crate::report::Space;

/// A thread's read of bytes that nothing wrote.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnwrittenRead {
    pub(crate) position: u32,
    pub(crate) lane: usize,
    pub(crate) space: Space,
    pub(crate) address: u64,
    pub(crate) used: Use,
    /// The bytes of the access, a bit each.
    pub(crate) bytes: u64,
}
