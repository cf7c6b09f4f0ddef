//! Radix sort by digits of eight bits: "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", Adinets and Merrill, 2022. All digits
//! are counted in one read. Then a launch for each digit reads and writes each element once.

pub mod count;
mod exchange;
mod rank;
pub mod scatter;
pub mod sweep;
pub mod tile;

use gridwright::prelude::*;

use crate::{KeyBits, SortKey};

/// Threads of a group.
pub const BLOCK: usize = 384;
/// Elements of a thread.
pub const ITEMS: usize = 21;
/// Elements of a group.
pub const TILE: usize = BLOCK * ITEMS;
/// Values of a digit.
pub const DIGITS: usize = 256;
/// Bits of a digit.
pub const DIGIT_BITS: u32 = 8;
/// Words of workgroup memory: an element of four bytes each, or the counts of all warps.
pub(crate) const ROOM: usize = TILE;

/// The values of keys that have none.
///
/// ```
/// assert_eq!(size_of::<gridwright_primitives::NoValue>(), 0);
/// ```
pub type NoValue = [u8; 0];

/// Which bits of a key a pass sorts by.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub struct Digit {
    /// The lowest bit.
    pub first: u32,
    /// The bits, from the lowest on.
    pub mask: u32,
    /// As `mask` where the highest key comes first, else zero.
    pub flip: u32,
}

impl Digit {
    /// The digit of a key: less than [`DIGITS`].
    #[inline(always)]
    pub(crate) fn of<K: SortKey>(self, key: K) -> u32 {
        const ALL: u32 = DIGITS as u32 - 1;
        (key.to_bits().word(self.first) & (self.mask & ALL)) ^ (self.flip & ALL)
    }
}

/// The place in a tile of a thread's first element, and the distance to its next one: a warp has neighbouring elements, its lanes take
/// turns.
#[inline(always)]
pub(crate) fn striped(t: Thread<'_>, lanes: usize, items: usize) -> usize {
    let thread = t.local().x;
    thread / lanes * lanes * items + thread % lanes
}

kernel_trait! {
    /// What [`sort`](crate::Primitives::sort) launches for keys and their values; keys alone have [`NoValue`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::NoValue;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Sort<u16, NoValue> for Mine; }
    /// instance! { impl primitives::Sort<u16, [f32; 3]> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Sort<K: SortKey, V: KernelArg> {
        /// Sorts what one group can.
        type Tile = crate::kernels::radix::tile::sort_tile<K, V>;
        /// Counts the digits of all passes.
        type Count = crate::kernels::radix::count::count_digits<K>;
        /// A pass in which groups look back.
        type Sweep = crate::kernels::radix::sweep::sweep<K, V>;
        /// Counts a digit of each tile.
        type CountTiles = crate::kernels::radix::scatter::count_tiles<K>;
        /// A pass by the starts.
        type Scatter = crate::kernels::radix::scatter::scatter<K, V>;
    }
}
