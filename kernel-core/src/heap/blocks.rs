//! How threads take blocks and give them back.
//!
//! A state has a kind in its highest byte and a count below. Of a chunk with blocks of one size the count is of the threads
//! that have a block there, or are about to take or give one. A thread that counted itself in where it couldn't stay
//! counts itself out again; so a count can be too high for a moment, and a free chunk's can be other than zero.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use super::{Heap, NotAllocated, SizeClass};

/// The bit at which a state's kind begins, and the bits of its count.
const KIND: u32 = 24;
pub(super) const COUNT: u32 = (1 << KIND) - 1;

/// Kinds: free, then one for each size, then the first chunk of a larger block, and its others.
pub(super) const FREE: u32 = 0;
pub(super) const FIRST: u32 = 0xfe;
pub(super) const NEXT: u32 = 0xff;

/// How often all chunks are looked at again where others changed them meanwhile. It isn't for ever: threads of a warp may have to
/// wait for this one.
const ROUNDS: usize = 16;

pub(super) fn kind(state: u32) -> u32 {
    state >> KIND
}

fn kind_of(class: SizeClass) -> u32 {
    class.number() + 1
}

impl Heap {
    /// # Safety
    /// As for `allocate`, and there is such a chunk.
    #[inline(always)]
    unsafe fn state(&self, chunk: usize) -> &AtomicU32 {
        // SAFETY: there is a state for each chunk, and such a chunk, as this function asks.
        unsafe { &*self.states.add(chunk) }
    }

    /// # Safety
    /// As for `state`, and the word is below `WORDS`.
    #[inline(always)]
    unsafe fn word(&self, chunk: usize, word: u32) -> &AtomicU32 {
        // SAFETY: there are `WORDS` words of bits for each chunk, and such a chunk and word of it, as this function asks.
        unsafe { &*self.bits.add(chunk * Self::WORDS + word as usize) }
    }

    /// The place of a block of a size, which is now the caller's.
    ///
    /// # Safety
    /// As for `allocate`.
    #[inline(always)]
    pub(super) unsafe fn take_block(&self, class: SizeClass) -> Option<usize> {
        let chunks = self.chunks as usize;
        let found = self.found.get(class.number() as usize)?;
        let first = found.load(Relaxed) as usize;
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            let mut chunk = if first < chunks { first } else { 0 };
            for _ in 0..chunks {
                // SAFETY: what the fields say is there, as this function asks; the chunk is below `chunks`.
                match unsafe { self.enter(chunk, class) } {
                    Entered::As(number) => {
                        if chunk != first {
                            found.store(chunk as u32, Relaxed);
                        }
                        // SAFETY: what the fields say is there, as this function asks; `enter` counted the thread into the chunk,
                        // as the one of this number.
                        let block = unsafe { self.take_bit(chunk, class, number) };
                        return Some(chunk * Self::CHUNK + block as usize * class.bytes());
                    }
                    Entered::No => {}
                    Entered::NotNow => has_changed = true,
                }
                chunk = if chunk + 1 < chunks { chunk + 1 } else { 0 };
            }
            if !has_changed {
                break;
            }
        }
        None
    }

    /// Counts the thread into a chunk, if that has a block of this size for it.
    ///
    /// # Safety
    /// As for `state`.
    #[inline(always)]
    unsafe fn enter(&self, chunk: usize, class: SizeClass) -> Entered {
        // SAFETY: what the fields say is there, and so is the chunk, as this function asks.
        let state = unsafe { self.state(chunk) };
        let own = kind_of(class) << KIND;
        let mut now = state.load(Relaxed);
        if kind(now) == FREE {
            if now != 0 {
                return Entered::NotNow;
            }
            match state.compare_exchange(0, own | 1, Relaxed, Relaxed) {
                Ok(_) => return Entered::As(0),
                Err(other) => now = other,
            }
        }
        if kind(now) != kind(own) {
            return if kind(now) == FREE { Entered::NotNow } else { Entered::No };
        }
        if now & COUNT >= class.blocks() {
            return Entered::No;
        }
        let before = state.fetch_add(1, Relaxed);
        if kind(before) == kind(own) && before & COUNT < class.blocks() {
            return Entered::As(before & COUNT);
        }
        // SAFETY: the chunk is there, as this function asks, and the addition counted the thread in.
        unsafe { self.leave(chunk) };
        Entered::NotNow
    }

    /// Counts the thread out of a chunk. Who leaves none behind makes it free.
    ///
    /// # Safety
    /// As for `state`, and the thread is counted in.
    #[inline(always)]
    unsafe fn leave(&self, chunk: usize) {
        // SAFETY: what the fields say is there, and so is the chunk, as this function asks.
        let state = unsafe { self.state(chunk) };
        let before = state.fetch_sub(1, Relaxed);
        let is_of_blocks = !matches!(kind(before), FREE | FIRST | NEXT);
        if is_of_blocks && before & COUNT == 1 {
            // Somebody may have come in meanwhile, who then is the one to leave it.
            let _ = state.compare_exchange(before - 1, 0, Relaxed, Relaxed);
        }
    }

    /// A block's number, whose bit is now set by the caller. As many threads are counted in as there are blocks at most, so
    /// that one is free at any time, whatever others do meanwhile.
    ///
    /// # Safety
    /// As for `state`, and the thread is counted in, as the one of this number.
    #[inline(always)]
    unsafe fn take_bit(&self, chunk: usize, class: SizeClass, number: u32) -> u32 {
        let words = class.blocks().div_ceil(32);
        let all = if class.blocks() < 32 { (1 << class.blocks()) - 1 } else { u32::MAX };
        let (mut at, mut wanted) = (number / 32, 1 << (number % 32));
        loop {
            // SAFETY: the chunk is there, and the thread's number is below its blocks, as this function asks; their bits are in
            // `words` words, at most `WORDS`.
            let word = unsafe { self.word(chunk, at) };
            let mut free = !word.load(Relaxed) & all;
            while free != 0 {
                let bit = if free & wanted != 0 { wanted } else { free & free.wrapping_neg() };
                let before = word.fetch_or(bit, Relaxed);
                if before & bit == 0 {
                    return at * 32 + bit.trailing_zeros();
                }
                free = !before & all;
            }
            at = if at + 1 < words { at + 1 } else { 0 };
            // Of those who come to a word next, each begins at another bit.
            wanted = wanted.rotate_left(number / 32);
        }
    }

    /// # Safety
    /// As for `free`.
    #[inline(always)]
    pub(super) unsafe fn give_block(&self, offset: usize, class: SizeClass) -> Result<(), NotAllocated> {
        let (chunk, block) = (offset / Self::CHUNK, (offset % Self::CHUNK / class.bytes()) as u32);
        // SAFETY: what the fields say is there, as this function asks; `free`, its one caller, saw that there is such a chunk.
        let state = unsafe { self.state(chunk) };
        if kind(state.load(Relaxed)) != kind_of(class) || !offset.is_multiple_of(class.bytes()) {
            return Err(NotAllocated);
        }
        let bit = 1 << (block % 32);
        // SAFETY: the chunk is one of the heap's, and all bits of its blocks are in its `WORDS` words.
        let before = unsafe { self.word(chunk, block / 32) }.fetch_and(!bit, Relaxed);
        if before & bit == 0 {
            return Err(NotAllocated);
        }
        // SAFETY: the chunk is one of the heap's; the bit was set, and who has a block is counted in.
        unsafe { self.leave(chunk) };
        Ok(())
    }

    /// The place of chunks in a row, with as many bytes, which are now the caller's. They are looked for from
    /// the end, where small blocks come last.
    ///
    /// # Safety
    /// As for `allocate`.
    #[inline(always)]
    pub(super) unsafe fn take_chunks(&self, bytes: usize) -> Option<usize> {
        let count = bytes.div_ceil(Self::CHUNK);
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            // The chunks from here on are free, so many of them.
            let (mut first, mut free) = (self.chunks as usize, 0);
            while first > 0 {
                first -= 1;
                // SAFETY: what the fields say is there, as this function asks; the chunk is below `chunks`.
                let now = unsafe { self.state(first) }.load(Relaxed);
                has_changed |= kind(now) == FREE && now != 0;
                free = if now == 0 { free + 1 } else { 0 };
                if free >= count {
                    // SAFETY: what the fields say is there, as this function asks; so many chunks from there on were just seen.
                    if unsafe { self.claim(first, count) } {
                        return Some(first * Self::CHUNK);
                    }
                    has_changed = true;
                    free = 0;
                }
            }
            if !has_changed {
                break;
            }
        }
        None
    }

    /// Makes free chunks in a row one block, or changes none.
    ///
    /// # Safety
    /// As for `state`, for each of them.
    #[inline(always)]
    unsafe fn claim(&self, first: usize, count: usize) -> bool {
        for taken in 0..count {
            let kind = if taken == 0 { FIRST } else { NEXT };
            // SAFETY: what the fields say is there, and so is each of these chunks, as this function asks.
            let state = unsafe { self.state(first + taken) };
            if state.compare_exchange(0, kind << KIND, Relaxed, Relaxed).is_err() {
                // SAFETY: these chunks are there, as this function asks, and were just made the caller's.
                unsafe { self.disclaim(first, taken) };
                return false;
            }
        }
        true
    }

    /// Makes the chunks of a block free, but for whom is counted in there for a moment.
    ///
    /// # Safety
    /// As for `state`, for each of them, and they are the caller's.
    #[inline(always)]
    unsafe fn disclaim(&self, first: usize, count: usize) {
        for chunk in first..first + count {
            // SAFETY: what the fields say is there, and so is each of these chunks, as this function asks.
            unsafe { self.state(chunk) }.fetch_and(COUNT, Relaxed);
        }
    }

    /// # Safety
    /// As for `free`.
    #[inline(always)]
    pub(super) unsafe fn give_chunks(&self, offset: usize, bytes: usize) -> Result<(), NotAllocated> {
        let (first, count) = (offset / Self::CHUNK, bytes.div_ceil(Self::CHUNK));
        // SAFETY: what the fields say is there, as this function asks; `free`, its one caller, saw that there is such a chunk.
        let is_first = kind(unsafe { self.state(first) }.load(Relaxed)) == FIRST;
        if !is_first || !offset.is_multiple_of(Self::CHUNK) || count > self.chunks as usize - first {
            return Err(NotAllocated);
        }
        // SAFETY: so many chunks were just seen to be there, which nobody uses any more, as this function asks.
        unsafe { self.disclaim(first, count) };
        Ok(())
    }
}

/// Whether a thread was counted into a chunk.
enum Entered {
    /// The thread is counted as the one of this number.
    As(u32),
    /// There is no room in the chunk.
    No,
    /// Others are changing the chunk.
    NotNow,
}
