use crate::Error;
use crate::submission::{Home, Kind, Memory, MemoryId};

/// Memory that the host reaches too, at the same address.
pub(crate) trait UnifiedMemory {
    /// Memory of a number of bytes that isn't zero, aligned to at least 64, all of them zero, which the host reaches too, at
    /// the same address. Both may read it at the same time.
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error>;

    /// Waits for the work that the host would meet in memory that it reaches: what writes it, and if the host
    /// is to write, what reads it. Reports what [`synchronize`](super::Streams::synchronize) does.
    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error>;
}
