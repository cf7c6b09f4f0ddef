//! What tiles tell each other in one pass over the elements: decoupled look-back (Merrill and Garland, *Single-pass Parallel Prefix Scan
//! with Decoupled Look-back*, 2016).
//!
//! A tile publishes the combined value of its own elements as soon as it has it, and that of all elements up to its last one as soon as
//! it has found the values of the tiles before it. Tiles are taken in the order of a counter, so each waits only for tiles that groups
//! have begun; it is the device that must let groups go on that have begun. A group whose operator panics publishes nothing: who waits for it
//! gives up after some seconds, says so to the tiles behind it, and panics too.
//!
//! Each word of a value has its status in the same 64 bits, which are written and read at once. So words need no order: a reader has a
//! value when all of its words have the same status. (NCCL's protocol *LL* does so between GPUs.)
//!
//! Nobody promises that AMD's groups go on. There two launches before find what is before each tile ([`totals`](super::totals)), and write it
//! where the third looks: nobody waits.

use gridwright::InPhase;
use gridwright::prelude::*;

use super::maybe::Maybe;

/// Nothing yet: the memory is zeroed before the launch.
const NONE: u32 = 0;
/// The combined value of the tile's elements.
pub(super) const OF_TILE: u32 = 1;
/// The combined value of all elements up to the tile's last one.
pub(super) const UP_TO_TILE: u32 = 2;

/// Nothing will come: a thread has panicked.
const BROKEN: u32 = 3;

/// Whether groups find what is before their tiles themselves. The host's `Primitives::looks_back` knows it of devices.
const LOOKS_BACK: bool = !cfg!(target_arch = "amdgpu");

/// Looks at tiles before it is taken for sure that they don't come: some seconds.
const MOST_LOOKS: u32 = 1 << 22;

/// Words of a value.
const fn words_of<T>() -> usize {
    // A value without bytes has a status too.
    if size_of::<T>() == 0 { 1 } else { size_of::<T>().div_ceil(4) }
}

/// Words of the memory for so many tiles, that of the counter with it.
pub(crate) const fn state_len<T>(tiles: usize) -> usize {
    tiles.saturating_mul(words_of::<T>()).saturating_add(1)
}

/// The tile that the group takes.
#[inline(always)]
pub(crate) fn next_tile<S: GroupShape>(g: &Group<'_, S>, state: &Atomic<'_, [u64]>) -> usize {
    if !LOOKS_BACK {
        return g.index();
    }
    let tile = g.map((), |t, ()| if t.local().x == 0 { state.fetch_add(t, 0, 1) } else { 0 });
    g.broadcast(&tile, 0) as usize
}

/// No tile is taken yet.
#[inline(always)]
pub(super) fn take_none(t: Thread<'_>, state: &Atomic<'_, [u64]>) {
    state.set(t, 0, 0);
}

/// A word of a value, the last one filled up with zeros.
#[inline(always)]
fn word<T: KernelArg>(value: &T, at: usize) -> u32 {
    let mut word = [0_u8; 4];
    let bytes = (size_of::<T>() - (4 * at).min(size_of::<T>())).min(4);
    let from = core::ptr::from_ref(value).cast::<u8>().wrapping_add(4 * at);
    // SAFETY: the bytes are the value's, which has no padding.
    unsafe { core::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), bytes) };
    u32::from_le_bytes(word)
}

/// Puts a word of a value.
#[inline(always)]
fn set_word<T: KernelArg>(value: &mut T, at: usize, word: u32) {
    let word = word.to_le_bytes();
    let bytes = (size_of::<T>() - (4 * at).min(size_of::<T>())).min(4);
    let to = core::ptr::from_mut(value).cast::<u8>().wrapping_add(4 * at);
    // SAFETY: the bytes are the value's, of which any are one.
    unsafe { core::ptr::copy_nonoverlapping(word.as_ptr(), to, bytes) };
}

/// Writes a tile's value.
#[inline(always)]
pub(super) fn publish<T: KernelArg>(
    t: Thread<'_>,
    state: &Atomic<'_, [u64]>,
    tile: usize,
    value: T,
    status: u32,
) {
    for at in 0..words_of::<T>() {
        let word = u64::from(status) << 32 | u64::from(word(&value, at));
        state.set(t, 1 + tile * words_of::<T>() + at, word);
    }
}

/// What a tile has published, and its status, if all words have the same one.
#[inline(always)]
pub(super) fn published<T: KernelArg>(t: Thread<'_>, state: &Atomic<'_, [u64]>, tile: usize) -> (u32, T) {
    let mut value = T::zeroed();
    let mut status = NONE;
    for at in 0..words_of::<T>() {
        let word = state.read(t, 1 + tile * words_of::<T>() + at);
        let its = (word >> 32) as u32;
        status = if at == 0 || its == status { its } else { NONE };
        set_word(&mut value, at, word as u32);
    }
    (status, value)
}

/// The combined value of all elements before a tile, after `start`, for a warp that stands for the tile's group. What the tile's own
/// elements give is published where others may need it.
#[inline(always)]
pub(crate) fn before_tile<S: GroupShape, T: KernelArg, F: Fn(T, T) -> T + InPhase + Copy>(
    w: &Warp<'_, S>,
    state: &Atomic<'_, [u64]>,
    tile: usize,
    start: Maybe<T>,
    own: Maybe<T>,
    is_last: bool,
    operator: F,
) -> Maybe<T> {
    if !LOOKS_BACK {
        let before =
            |t: Thread<'_>| if tile == 0 { start } else { Maybe::some(published(t, state, tile - 1).1) };
        return w.broadcast(&w.map((), |t, ()| before(t)), 0);
    }
    if tile == 0 {
        if !is_last {
            publish_by_one(w, state, tile, start.then(own, operator), UP_TO_TILE);
        }
        return start;
    }
    if !is_last {
        publish_by_one(w, state, tile, own, OF_TILE);
    }
    let mut before = Maybe::none();
    let mut end = tile;
    loop {
        // Each lane looks at a tile: lane 0 at the one before `end`, others at those before it.
        let seen = wait_for_tiles(w, state, end);
        let is_broken = w.any(&w.map(&seen, |_, (status, _)| *status == NONE || *status == BROKEN));
        if is_broken {
            w.each((), |t, ()| {
                publish(t, state, tile, T::zeroed(), BROKEN);
                panic!("a group that others wait for has panicked");
            });
        }
        let is_complete = w.ballot(&w.map(&seen, |_, (status, _)| *status == UP_TO_TILE));
        let nearest = is_complete.trailing_zeros() as usize;
        let values = w.map(
            &seen,
            |t, (_, value)| {
                if t.lane() <= nearest { Maybe::some(*value) } else { Maybe::none() }
            },
        );
        // From the last lane that counts to the first.
        let values = w.scan_inclusive(&values, |later, earlier| earlier.then(later, operator));
        before = w.broadcast(&values, w.len() - 1).then(before, operator);
        if is_complete != 0 {
            break;
        }
        end -= w.len();
    }
    if !is_last {
        publish_by_one(w, state, tile, before.then(own, operator), UP_TO_TILE);
    }
    before
}

/// Writes a tile's value, if there is one.
#[inline(always)]
pub(super) fn publish_by_one<S: GroupShape, T: KernelArg>(
    w: &Warp<'_, S>,
    state: &Atomic<'_, [u64]>,
    tile: usize,
    value: Maybe<T>,
    status: u32,
) {
    w.each((), |t, ()| {
        if t.lane() == 0
            && let Some(value) = value.get()
        {
            publish(t, state, tile, value, status);
        }
    });
}

/// What the tiles before `end` have published: lane 0 gets that of the last of them. Lanes without a tile get nothing. Where a status is
/// [`NONE`], one was waited for in vain.
#[inline(always)]
fn wait_for_tiles<'w, S: GroupShape, T: KernelArg>(
    w: &Warp<'w, S>,
    state: &Atomic<'_, [u64]>,
    end: usize,
) -> Private<'w, (u32, T)> {
    let mut looks = 0;
    loop {
        let seen = w.map((), |t, ()| match end.checked_sub(1 + t.lane()) {
            Some(tile) => published(t, state, tile),
            None => (OF_TILE, T::zeroed()),
        });
        looks += 1;
        if looks == MOST_LOOKS || w.all(&w.map(&seen, |_, (status, _)| *status != NONE)) {
            return seen;
        }
    }
}
