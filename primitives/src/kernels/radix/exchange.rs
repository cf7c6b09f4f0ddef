//! Exchange of elements within a group, by places that differ.

use gridwright::prelude::*;

use super::{BLOCK, ITEMS, ROOM, TILE};

/// Workgroup memory as places for elements of any type.
#[derive(Clone, Copy)]
pub(super) struct Places<T>(*mut T);

// SAFETY: who writes and reads promises that no two threads use one place without a phase in between.
unsafe impl<T: Send> Send for Places<T> {}
// SAFETY: who writes and reads promises that no two threads use one place without a phase in between.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T: KernelArg> Places<T> {
    /// Places that there are.
    pub(super) const COUNT: usize = {
        assert!(
            size_of::<T>() <= 4 * ROOM && align_of::<T>() <= 16,
            "an element is sorted that workgroup memory hasn't room for"
        );
        if size_of::<T>() == 0 { TILE } else { 4 * ROOM / size_of::<T>() }
    };
    /// How often the memory is filled to exchange a tile.
    pub(super) const ROUNDS: usize = TILE.div_ceil(Self::COUNT);

    #[inline(always)]
    pub(super) fn new(room: &mut Workgroup<'_, [u32; ROOM]>) -> Self {
        Self(room.as_mut_ptr().cast())
    }

    /// # Safety
    /// The place is below [`COUNT`](Self::COUNT), and no other thread's in this phase.
    #[inline(always)]
    pub(super) unsafe fn write(self, _: Thread<'_>, place: usize, value: T) {
        // SAFETY: the memory has so many places, aligned to 16 bytes; the caller says that nobody else uses this one.
        unsafe { self.0.add(place).write(value) };
    }

    /// # Safety
    /// The place was written before this phase, in which nobody writes it.
    #[inline(always)]
    pub(super) unsafe fn read(self, _: Thread<'_>, place: usize) -> T {
        // SAFETY: the caller says so.
        unsafe { self.0.add(place).read() }
    }
}

/// The place in the tile of the element that a thread writes as its number `item`.
#[inline(always)]
pub(super) fn place(t: Thread<'_>, item: usize) -> usize {
    item * BLOCK + t.local().x
}

/// Whether a place of the tile is in this round, and which of the memory's it is then.
#[inline(always)]
pub(super) fn in_round<T: KernelArg>(place: usize, round: usize) -> Option<usize> {
    if const { Places::<T>::ROUNDS == 1 } {
        return Some(place);
    }
    let place = place.wrapping_sub(round * Places::<T>::COUNT);
    (place < Places::<T>::COUNT).then_some(place)
}

const _: () = assert!(ITEMS * BLOCK == TILE);
