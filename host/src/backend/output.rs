use gridwright_core::HeapUsage;

use super::Printed;
use crate::Error;

/// What kernels leave behind: printed lines, and what they have of their heap.
pub(crate) trait Output {
    /// The lines that kernels printed.
    fn printed(&self) -> &Printed;

    /// Lets the heap of kernels have at least as many bytes, empty. Waits for what runs.
    fn set_heap_bytes(&self, _bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// What kernels have of their heap. Waits for what runs.
    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        Ok(HeapUsage::default())
    }
}
