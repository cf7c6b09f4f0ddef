//! Asynchronous copies: the source is read at once, and the target is written when the thread waits for it. Until then its bytes
//! count as never written, so that who reads them too early is found.

use super::state::ActiveLanes;
use super::transfer::{load_row, store_element};
use crate::instruction::{AsyncCopy, Bytes, Memory};
use crate::machine::{Done, PendingCopy, Use, WARP, lanes_of};

/// Bytes of an element of a copy.
const ELEMENT: u32 = 4;

impl ActiveLanes<'_> {
    pub(super) fn begin_copy(&mut self, copy: &AsyncCopy, mask: u32) -> Done {
        let (words, unwritten) = self.read_source(copy, mask)?;
        let mut targets = self.addresses(&copy.target);
        let used = target(copy.size, copy.target.cache);
        self.resolve(Memory::Shared, mask, &mut targets, used)?;
        for lane in lanes_of(mask) {
            let thread = self.identity.first_thread + lane as u32;
            let address = targets[lane];
            if self.core.checks.uninitialised_workgroup {
                // A copy is aligned, and no larger than what a word of bits stands for.
                let bits = (u64::MAX >> (64 - copy.size)) << (address % 64);
                self.group.shared.mark(address, bits, false);
            }
            let group = self.group.copies.closed(thread);
            self.group.copies.pending.push(PendingCopy {
                thread,
                group,
                position: self.position,
                cache: copy.target.cache,
                address,
                size: copy.size,
                words: words[lane],
                unwritten: unwritten[lane],
            });
        }
        Ok(())
    }

    /// The source's words of each lane, zeros where they aren't read; and the bytes that nothing wrote.
    fn read_source(&mut self, copy: &AsyncCopy, mask: u32) -> Done<([[u32; 4]; WARP], [u64; WARP])> {
        let most = copy.size;
        let bytes = match copy.bytes {
            Bytes::All => [most; WARP],
            Bytes::AsMany(slot) => self.narrow(slot).map(|bytes| bytes.min(most)),
            Bytes::NoneIf(predicate) => {
                let none = self.predicate(predicate);
                std::array::from_fn(|lane| if none >> lane & 1 == 1 { 0 } else { most })
            }
        };
        let mut words = [[0; 4]; WARP];
        let sources = self.addresses(&copy.source);
        let addresses = sources;
        let read = |bytes| Use {
            bytes,
            is_read: true,
            is_write: false,
            is_atomic: false,
            cache: copy.source.cache,
            hands_on: true,
        };
        let whole = lanes_of(mask).filter(|&lane| bytes[lane] == most).fold(0, |all, lane| all | 1 << lane);
        if whole != 0 {
            let mut addresses = addresses;
            let pointers = self.resolve(Memory::Global, whole, &mut addresses, read(most))?;
            for index in 0..most / ELEMENT {
                // SAFETY: `resolve` gave pointers to `most` bytes each, as aligned as that, also for lanes outside of the mask.
                let row = unsafe { load_row(&pointers, (index * ELEMENT) as usize, ELEMENT) };
                for lane in lanes_of(whole) {
                    words[lane][index as usize] = row[lane] as u32;
                }
            }
        }
        for lane in lanes_of(mask & !whole) {
            for byte in 0..bytes[lane] {
                let mut addresses = addresses.map(|address| address.wrapping_add(byte.into()));
                let pointers = self.resolve(Memory::Global, 1 << lane, &mut addresses, read(1))?;
                // SAFETY: `resolve` gave pointers to one byte each, also for lanes outside of the mask.
                let row = unsafe { load_row(&pointers, 0, 1) };
                words[lane][(byte / ELEMENT) as usize] |= (row[lane] as u32) << (byte % ELEMENT * 8);
            }
        }
        let mut unwritten = [0; WARP];
        for read in std::mem::take(&mut self.core.unwritten) {
            unwritten[read.lane] |= read.bytes << read.address.wrapping_sub(sources[read.lane]).min(63);
        }
        Ok((words, unwritten))
    }

    pub(super) fn commit_copies(&mut self, mask: u32) {
        for lane in lanes_of(mask) {
            self.group.copies.close(self.identity.first_thread + lane as u32);
        }
    }

    /// Ends the copies of the lanes, but those of so many of the last groups, or all.
    pub(super) fn wait_for_copies(&mut self, but: Option<u32>, mask: u32) -> Done {
        let first = self.identity.first_thread;
        let copies = &mut self.group.copies;
        let mut pending = std::mem::take(&mut copies.pending);
        let is_done = |copy: &PendingCopy| {
            let lane = copy.thread.wrapping_sub(first);
            let is_here = lane < WARP as u32 && mask >> lane & 1 == 1;
            is_here
                && but.is_none_or(|but| {
                    u64::from(copy.group) + u64::from(but) < copies.closed(copy.thread).into()
                })
        };
        let done: Vec<PendingCopy> = pending.iter().copied().filter(is_done).collect();
        pending.retain(|copy| !is_done(copy));
        copies.pending = pending;
        let waits_at = self.position;
        for copy in done {
            // What is found about it is found where it was begun.
            self.position = copy.position;
            let lane = (copy.thread - first) as usize;
            let mut addresses = [copy.address; WARP];
            let used = target(copy.size, copy.cache);
            let pointers = self.resolve(Memory::Shared, 1 << lane, &mut addresses, used)?;
            for index in 0..copy.size / ELEMENT {
                let word = copy.words[index as usize];
                // SAFETY: `resolve` gave a pointer to `size` bytes, as aligned as that.
                unsafe {
                    store_element(pointers[lane].add((index * ELEMENT) as usize), ELEMENT, word.into());
                };
            }
            if copy.unwritten != 0 {
                self.unwrite(Memory::Shared, copy.address, copy.unwritten);
            }
        }
        self.position = waits_at;
        Ok(())
    }
}

fn target(bytes: u32, cache: u32) -> Use {
    Use { bytes, is_read: false, is_write: true, is_atomic: false, cache, hands_on: false }
}
