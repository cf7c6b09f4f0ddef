//! In which order a tile's elements go through workgroup memory, which may have room for a part of them only.

use gridwright::prelude::*;

use super::{BLOCK, ROOM, TILE};

/// Elements that there is room for.
pub(super) const fn room_for<T>() -> usize {
    assert!(size_of::<T>() <= 4 * ROOM, "an element is sorted that workgroup memory hasn't room for");
    if size_of::<T>() == 0 { TILE } else { 4 * ROOM / size_of::<T>() }
}

/// How often the memory is filled to exchange a tile.
pub(super) const fn rounds<T>() -> usize {
    TILE.div_ceil(room_for::<T>())
}

/// The place in the tile of the element that a thread writes as its number `item`.
#[inline(always)]
pub(super) fn place(t: Thread<'_>, item: usize) -> usize {
    item * BLOCK + t.local().x
}

/// Whether a place of the tile is in this round, and which of the memory's it is then.
#[inline(always)]
pub(super) fn in_round<T>(place: usize, round: usize) -> Option<usize> {
    if const { rounds::<T>() == 1 } {
        return Some(place);
    }
    let place = place.wrapping_sub(round * room_for::<T>());
    (place < room_for::<T>()).then_some(place)
}
