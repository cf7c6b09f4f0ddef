//! What an access does to memory, and where it does it.

use super::WARP;

/// Where lanes access host memory.
pub(crate) type Pointers = [*mut u8; WARP];

/// What an access does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    /// Bytes of all elements.
    pub(crate) bytes: u32,
    pub(crate) is_read: bool,
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
    /// Place where the last allocation is kept.
    pub(crate) cache: u32,
    /// Whether bytes that nothing wrote are only handed on: who reads them is told which they are.
    pub(crate) hands_on: bool,
}
