//! What was executed.

use std::ops::AddAssign;

/// What was executed, and the memory that it touched: of a line of PTX in [`Report::lines`](super::Report::lines).
///
/// ```
/// use gridwright_emulator::Counts;
///
/// let mut sum = Counts { warp_instructions: 1, sectors: 4, ..Counts::default() };
/// sum += sum;
/// assert_eq!((sum.warp_instructions, sum.sectors), (2, 8));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions, counted once for each warp that executed them together.
    pub warp_instructions: u64,
    /// Instructions, counted once for each thread. Threads whose guard is false count, as the instruction is issued for them too.
    pub thread_instructions: u64,
    /// Sectors of 32 bytes of device memory: of each warp's access the different ones that its lanes touch. Reads of textures, writes of
    /// surfaces and `.const` memory aren't counted.
    pub sectors: u64,
    /// Turns in which the 32 banks of workgroup memory serve a warp's access: lanes with different words of one bank take turns, and
    /// so do atomic operations on one word. Of 8 bytes a lane a whole warp takes two turns at least, of 16 bytes four.
    pub bank_passes: u64,
    /// Accesses of warps to local memory, which PTX names. A GPU's compiler keeps in registers what is never indexed at run time.
    pub local_accesses: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.sectors += other.sectors;
        self.bank_passes += other.bank_passes;
        self.local_accesses += other.local_accesses;
    }
}
