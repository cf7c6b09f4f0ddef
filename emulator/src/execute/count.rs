//! What instructions cost, counted where a launch asks for it.

use super::state::ActiveLanes;
use crate::instruction::{
    Access, Action, AddressBase, AsyncCopy, Bulk, BulkPlace, Bytes, Matrix, Memory, Op,
};
use crate::machine::{WARP, lanes_of, window};
use crate::report::Counts;

/// Bytes of a sector of device memory.
const SECTOR: u64 = 32;
/// Banks of workgroup memory, and the bytes of a word of one.
const BANKS: usize = 32;
const WORD: u64 = 4;

/// Bytes of a row of `ldmatrix`.
const ROW: u32 = 16;
/// Bytes of the object that `mbarrier` works on.
const BARRIER: u32 = 8;

type Addresses = [u64; WARP];

impl ActiveLanes<'_> {
    /// Counts an operation before it is executed, since it may overwrite its own address.
    pub(super) fn count(&mut self, op: &Op, position: u32, mask: u32) {
        let mut counts = if mask == 0 { Counts::default() } else { self.accesses_of(&op.action, mask) };
        counts.warp_instructions = 1;
        counts.thread_instructions = self.active.count_ones().into();
        if let Some(sum) = self.core.counts.get_mut(position as usize) {
            *sum += counts;
        }
    }

    fn accesses_of(&self, action: &Action, mask: u32) -> Counts {
        match action {
            Action::Load(access) | Action::Store(access) => {
                self.accesses(access, mask, access.size * access.values.len() as u32, false)
            }
            Action::Atomic(atomic) => self.accesses(&atomic.access, mask, atomic.access.size, true),
            Action::Mbarrier(barrier) => self.accesses(&barrier.access, mask, BARRIER, true),
            Action::AsyncCopy(copy) => self.async_copies(copy, mask),
            Action::Bulk(bulk) => self.bulk_copies(bulk, mask),
            Action::Warp(warp) => match &warp.matrix {
                Some(Matrix::Load(moved) | Matrix::Store(moved)) => {
                    // The first eight lanes have the rows of the first matrix, the next eight those of the second.
                    let rows = u32::MAX >> (WARP - 8 * moved.values.len().min(4));
                    self.accesses(&moved.access, mask & rows, ROW, false)
                }
                Some(Matrix::LoadFragment(moved) | Matrix::StoreFragment(moved)) => {
                    let pieces = self.pieces(moved);
                    let counts = pieces.iter().map(|piece| {
                        self.accesses_at(&moved.access, &piece.addresses, mask, piece.bytes, false)
                    });
                    counts.fold(Counts::default(), |mut all, one| {
                        all += one;
                        all
                    })
                }
                _ => Counts::default(),
            },
            _ => Counts::default(),
        }
    }

    fn accesses(&self, access: &Access, mask: u32, bytes: u32, is_atomic: bool) -> Counts {
        self.accesses_at(access, &self.addresses(access), mask, bytes, is_atomic)
    }

    fn accesses_at(
        &self,
        access: &Access,
        addresses: &Addresses,
        mask: u32,
        bytes: u32,
        is_atomic: bool,
    ) -> Counts {
        let (mut device, mut group, mut local) = (0_u32, 0, 0);
        for lane in lanes_of(mask) {
            let memory = match access.memory {
                Memory::Global => &mut device,
                Memory::Shared => &mut group,
                Memory::Local if access.base != AddressBase::Argument => &mut local,
                Memory::Generic => match window(addresses[lane]) {
                    0 => &mut device,
                    1 => &mut group,
                    2 => &mut local,
                    _ => continue,
                },
                Memory::Const | Memory::Local => continue,
            };
            *memory |= 1 << lane;
        }
        Counts {
            sectors: sectors(device, addresses, &[bytes; WARP]),
            bank_passes: bank_passes(group, addresses, bytes, is_atomic),
            local_accesses: (local != 0).into(),
            ..Counts::default()
        }
    }

    fn async_copies(&self, copy: &AsyncCopy, mask: u32) -> Counts {
        let read = match copy.bytes {
            Bytes::All => [copy.size; WARP],
            Bytes::AsMany(slot) => self.narrow(slot).map(|bytes| bytes.min(copy.size)),
            Bytes::NoneIf(predicate) => {
                let none = self.predicate(predicate);
                std::array::from_fn(|lane| if none >> lane & 1 == 1 { 0 } else { copy.size })
            }
        };
        Counts {
            sectors: sectors(mask, &self.addresses(&copy.source), &read),
            bank_passes: bank_passes(mask, &self.addresses(&copy.target), copy.size, false),
            ..Counts::default()
        }
    }

    /// Of plain memory: which lines a tile touches isn't known here.
    fn bulk_copies(&self, bulk: &Bulk, mask: u32) -> Counts {
        let Bulk::Copy(copy) = bulk else { return Counts::default() };
        let BulkPlace::Plain(other, bytes) = &copy.other else { return Counts::default() };
        let bytes = self.narrow(*bytes);
        let whole_rows = |lane: usize| u64::from(bytes[lane]).div_ceil(BANKS as u64 * WORD);
        let in_device = if other.memory == Memory::Shared { 0 } else { mask };
        Counts {
            sectors: sectors(in_device, &self.addresses(other), bytes),
            bank_passes: lanes_of(mask).map(whole_rows).sum(),
            ..Counts::default()
        }
    }
}

/// The different sectors that lanes touch.
fn sectors(mask: u32, addresses: &Addresses, bytes: &[u32; WARP]) -> u64 {
    let mut touched: Vec<u64> = Vec::with_capacity(WARP);
    for lane in lanes_of(mask) {
        if let Some(last) = bytes[lane].checked_sub(1) {
            let first = addresses[lane] / SECTOR;
            touched.extend(first..=addresses[lane].saturating_add(last.into()) / SECTOR);
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched.len() as u64
}

/// Turns in which the banks serve lanes: a bank gives one word at a time, to all lanes that read it. Of 8 bytes a lane, half of the
/// warp is served at a time, of 16 bytes a quarter. Atomic operations on one word take turns.
fn bank_passes(mask: u32, addresses: &Addresses, bytes: u32, is_atomic: bool) -> u64 {
    let words = u64::from(bytes).div_ceil(WORD);
    let at_once = WARP / words.next_power_of_two().clamp(1, WARP as u64) as usize;
    let mut passes = 0;
    for first in (0..WARP).step_by(at_once) {
        let part = (u32::MAX >> (WARP - at_once)) << first;
        let words_of = |lane: usize| (0..words).map(move |word| (addresses[lane] / WORD).wrapping_add(word));
        let mut touched: Vec<u64> = lanes_of(mask & part).flat_map(words_of).collect();
        if !is_atomic {
            touched.sort_unstable();
            touched.dedup();
        }
        let mut banks = [0_u64; BANKS];
        touched.iter().for_each(|word| banks[(word % BANKS as u64) as usize] += 1);
        passes += banks.iter().max().copied().unwrap_or(0);
    }
    passes
}
