//! What launches on the emulator executed, by line of PTX: the file that a program writes where `GRIDWRIGHT_EMULATOR_COUNTS`
//! names one.
//!
//! The file is text. For each image there is a line `image ID ARCHITECTURE LINES`, and the PTX, which is as many lines. For each launch there is a
//! line `launch ID KERNEL GROUPS BLOCK LINES` with the ID of its image, and as many lines of six numbers: that of a line of PTX, and
//! its [`Counts`] in their order. Programs that run at the same time may append to one file.
//!
//! ```
//! use gridwright_image::executed::Executed;
//!
//! let file = "image 1 sm_80 4\n.version 8.3\n.target sm_80\n.entry nothing() { ret;\n}\nlaunch 1 nothing 2,1,1 64,1,1 1\n3 4 128 0 0 0\n";
//! let executed = Executed::read(file)?;
//! let (image, launches) = &executed.of_kernel("nothing")[0];
//! assert_eq!((image.architecture.as_str(), launches.len()), ("sm_80", 1));
//! assert_eq!(launches[0].total().warp_instructions, 4);
//! # Ok::<(), gridwright_image::executed::UnreadableLine>(())
//! ```

mod file;
mod listing;
#[cfg(test)]
mod tests;

pub use file::{Executed, ExecutedImage, ExecutedLaunch, UnreadableLine};
pub use listing::{ListedLine, listing};

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Counts by line of PTX, of lines that were executed.
pub type LineCounts = BTreeMap<u32, Counts>;

/// What was executed, and the memory that it touched.
///
/// ```
/// use gridwright_image::executed::Counts;
///
/// let mut sum = Counts { warp_instructions: 2, thread_instructions: 40, ..Counts::default() };
/// sum += sum;
/// assert_eq!(sum.thread_instructions, 80);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions, counted once for each warp that executed them together.
    pub warp_instructions: u64,
    /// Instructions, counted once for each thread of those warps, also where its guard is false.
    pub thread_instructions: u64,
    /// Sectors of 32 bytes of device memory: of each warp's access the different ones.
    pub sectors: u64,
    /// Turns in which the 32 banks of workgroup memory serve a warp's access.
    pub bank_passes: u64,
    /// Accesses of warps to local memory, as PTX names it.
    pub local_accesses: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.warp_instructions = self.warp_instructions.saturating_add(other.warp_instructions);
        self.thread_instructions = self.thread_instructions.saturating_add(other.thread_instructions);
        self.sectors = self.sectors.saturating_add(other.sectors);
        self.bank_passes = self.bank_passes.saturating_add(other.bank_passes);
        self.local_accesses = self.local_accesses.saturating_add(other.local_accesses);
    }
}

/// The sum of counts.
///
/// ```
/// use gridwright_image::executed::{Counts, LineCounts, sum};
///
/// let line = Counts { sectors: 4, ..Counts::default() };
/// assert_eq!(sum(&LineCounts::from([(7, line), (9, line)])).sectors, 8);
/// ```
#[must_use]
pub fn sum(lines: &LineCounts) -> Counts {
    let mut total = Counts::default();
    lines.values().for_each(|counts| total += *counts);
    total
}
