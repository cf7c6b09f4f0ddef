//! Memory with which the groups of a cooperative launch wait for each other: CUDA's `grid.sync()` reads its address from
//! `%envreg1` and `%envreg2`.

use crate::error::Error;
use crate::process::Process;

/// Bytes of a workspace. Its first word says so; the second is the barrier's.
const BYTES: u32 = 1024;

/// The workspace of a launch, which goes with it.
pub(crate) struct Workspace<'p> {
    process: &'p Process,
    pub(crate) address: u64,
}

impl<'p> Workspace<'p> {
    /// # Errors
    /// Where there is no memory left.
    pub(crate) fn new(process: &'p Process) -> Result<Self, Error> {
        let address = process.emulator.alloc(u64::from(BYTES)).map_err(|_| Error::OUT_OF_MEMORY)?;
        let workspace = Self { process, address };
        let mut first = [0; BYTES as usize];
        first[..4].copy_from_slice(&BYTES.to_le_bytes());
        process.emulator.write(address, &first).map_err(|_| Error::OUT_OF_MEMORY)?;
        Ok(workspace)
    }
}

impl Drop for Workspace<'_> {
    fn drop(&mut self) {
        // The address is of this workspace's own allocation, which nothing else frees.
        let _freed = self.process.emulator.free(self.address);
    }
}
