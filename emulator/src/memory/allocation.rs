//! The host memory behind an allocation, and which of its bytes were written.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

const ALIGNMENT: usize = 256;

/// Host memory of an allocation. All accesses to it are atomic, so that kernels which race are no undefined behaviour here.
#[derive(Debug)]
pub(crate) struct Backing {
    pointer: *mut u8,
    len: usize,
    /// Layout of the memory; none of somebody else's memory, which was mapped.
    layout: Option<Layout>,
    pub(crate) name: Option<String>,
    pub(crate) read_only: bool,
    /// Marks of the bytes that were written, one bit a byte.
    written: Box<[AtomicU64]>,
    all_written: AtomicBool,
}

// SAFETY: the memory belongs to this value, or to a mapping whose caller promised that it lives and that only atomic or
// synchronised accesses are made meanwhile; each access here is atomic.
unsafe impl Send for Backing {}
// SAFETY: threads that share it access the memory, and its marks, atomically only.
unsafe impl Sync for Backing {}

impl Backing {
    /// Zeroed memory that counts as never written. None if the host has no more.
    pub(crate) fn allocate(len: usize, name: Option<String>, read_only: bool) -> Option<Self> {
        let layout = Layout::from_size_align(len.max(1), ALIGNMENT).ok()?;
        // SAFETY: the layout's size isn't zero.
        let pointer = unsafe { alloc_zeroed(layout) };
        if pointer.is_null() {
            return None;
        }
        let written = zeros(len.div_ceil(64));
        Some(Self {
            pointer,
            len,
            layout: Some(layout),
            name,
            read_only,
            written,
            all_written: AtomicBool::new(false),
        })
    }

    /// Memory of the host, or that processes share, which counts as written.
    ///
    /// # Safety
    /// `len` bytes at `pointer` are valid for reads and writes as long as this value lives, and others access them
    /// meanwhile only atomically, or synchronised with what kernels do.
    pub(crate) unsafe fn map(pointer: *mut u8, len: usize, name: &str) -> Self {
        let name = Some(name.to_owned());
        let all_written = AtomicBool::new(true);
        Self { pointer, len, layout: None, name, read_only: false, written: Box::default(), all_written }
    }

    #[inline]
    pub(crate) fn pointer(&self) -> *mut u8 {
        self.pointer
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether a range lies inside.
    fn check(&self, offset: usize, len: usize) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.len)
    }

    /// Copies bytes out. False if the range isn't inside.
    pub(crate) fn read(&self, offset: usize, target: &mut [u8]) -> bool {
        if !self.check(offset, target.len()) {
            return false;
        }
        let mut at = offset;
        let mut rest = target;
        while !rest.is_empty() {
            // SAFETY: `at` is inside of the allocation, as checked above.
            let pointer = unsafe { self.pointer.add(at) };
            if rest.len() >= 8 && pointer.addr().is_multiple_of(8) {
                // SAFETY: eight bytes are left, the pointer is aligned, and all accesses are atomic.
                let value = unsafe { AtomicU64::from_ptr(pointer.cast()) }.load(Ordering::Relaxed);
                let (head, tail) = rest.split_at_mut(8);
                head.copy_from_slice(&value.to_ne_bytes());
                rest = tail;
                at += 8;
            } else {
                // SAFETY: one byte is left, and all accesses are atomic.
                rest[0] = unsafe { AtomicU8::from_ptr(pointer) }.load(Ordering::Relaxed);
                rest = &mut rest[1..];
                at += 1;
            }
        }
        true
    }

    /// Copies bytes in, and marks them as written. False if the range isn't inside.
    pub(crate) fn write(&self, offset: usize, source: &[u8]) -> bool {
        if !self.check(offset, source.len()) {
            return false;
        }
        let mut at = offset;
        let mut rest = source;
        while let Some(&first) = rest.first() {
            // SAFETY: `at` is inside of the allocation, as checked above.
            let pointer = unsafe { self.pointer.add(at) };
            if let Some((head, tail)) = rest.split_first_chunk::<8>()
                && pointer.addr().is_multiple_of(8)
            {
                let value = u64::from_ne_bytes(*head);
                // SAFETY: eight bytes are left, the pointer is aligned, and all accesses are atomic.
                unsafe { AtomicU64::from_ptr(pointer.cast()) }.store(value, Ordering::Relaxed);
                rest = tail;
                at += 8;
            } else {
                // SAFETY: one byte is left, and all accesses are atomic.
                unsafe { AtomicU8::from_ptr(pointer) }.store(first, Ordering::Relaxed);
                rest = &rest[1..];
                at += 1;
            }
        }
        self.mark(offset, source.len(), true);
        true
    }

    /// Changes four or eight bytes at once, at an offset that is a multiple of that. Nothing happens elsewhere.
    pub(crate) fn update(&self, offset: usize, size: u32, change: impl Fn(u64) -> u64) {
        if !self.check(offset, size as usize) || !offset.is_multiple_of(size as usize) {
            return;
        }
        // SAFETY: `offset` is inside of the allocation, as checked above.
        let pointer = unsafe { self.pointer.add(offset) };
        if !pointer.addr().is_multiple_of(size as usize) {
            return;
        }
        if size == 4 {
            // SAFETY: four bytes are there, the pointer is aligned, and all accesses are atomic.
            let word = unsafe { AtomicU32::from_ptr(pointer.cast()) };
            let _ =
                word.fetch_update(Ordering::AcqRel, Ordering::Relaxed, |old| Some(change(old.into()) as u32));
        } else if size == 8 {
            // SAFETY: eight bytes are there, the pointer is aligned, and all accesses are atomic.
            let word = unsafe { AtomicU64::from_ptr(pointer.cast()) };
            let _ = word.fetch_update(Ordering::AcqRel, Ordering::Relaxed, |old| Some(change(old)));
        }
        self.mark(offset, size as usize, true);
    }

    /// Marks bytes as written or not. The range lies inside.
    pub(crate) fn mark(&self, offset: usize, len: usize, written: bool) {
        if self.written.is_empty() || len == 0 {
            return;
        }
        if written && self.all_written.load(Ordering::Relaxed) {
            return;
        }
        if offset == 0 && len >= self.len && written {
            self.all_written.store(true, Ordering::Relaxed);
            return;
        }
        if !written && self.all_written.load(Ordering::Acquire) {
            // First the marks: who sees that not all is written looks at them.
            self.written.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
            self.all_written.store(false, Ordering::Release);
        }
        let end = (offset + len).min(self.len);
        let mut at = offset;
        while at < end {
            let next = (at / 64 + 1) * 64;
            let bits = ones(next.min(end) - at) << (at % 64);
            match written {
                true => self.written[at / 64].fetch_or(bits, Ordering::Relaxed),
                false => self.written[at / 64].fetch_and(!bits, Ordering::Relaxed),
            };
            at = next;
        }
    }

    /// The parts of a range that count as never written: where in the range they begin, and their lengths. The range lies inside.
    pub(crate) fn unwritten(&self, offset: usize, len: usize) -> Vec<(usize, usize)> {
        if self.written.is_empty() || self.is_all_written() {
            return Vec::new();
        }
        let mut parts: Vec<(usize, usize)> = Vec::new();
        let mut at = offset;
        while at < offset + len {
            let word = !self.written[at / 64].load(Ordering::Relaxed) >> (at % 64);
            let left = (64 - at % 64).min(offset + len - at);
            // So many written bytes, and then so many others.
            let before = (word.trailing_zeros() as usize).min(left);
            let others = ((word >> before.min(63)).trailing_ones() as usize).min(left - before);
            let start = at - offset + before;
            match parts.last_mut().filter(|(last, len)| last + len == start) {
                Some((_, len)) => *len += others,
                None if others > 0 => parts.push((start, others)),
                None => {}
            }
            at += before + others;
        }
        parts
    }

    pub(crate) fn mark_all(&self) {
        self.all_written.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_all_written(&self) -> bool {
        self.all_written.load(Ordering::Acquire)
    }

    /// Marks an element as written: up to eight bytes that don't cross a multiple of 64.
    pub(crate) fn mark_element(&self, offset: usize, size: u32) {
        let bits = ones(size as usize) << (offset % 64);
        if let Some(word) = self.written.get(offset / 64)
            && word.load(Ordering::Relaxed) & bits != bits
        {
            word.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Whether an element is written: up to eight bytes that don't cross a multiple of 64.
    pub(crate) fn is_written(&self, offset: usize, size: u32) -> bool {
        let bits = ones(size as usize) << (offset % 64);
        self.is_all_written()
            || self.written.get(offset / 64).is_none_or(|word| word.load(Ordering::Relaxed) & bits == bits)
    }
}

/// Zeros that aren't touched: the host gives memory for what is marked only.
fn zeros(count: usize) -> Box<[AtomicU64]> {
    let words = Box::into_raw(vec![0_u64; count].into_boxed_slice());
    // SAFETY: the pointer is a box's own, and an `AtomicU64` has the size, alignment and values of a `u64` on targets that this
    // crate compiles for: the assertion below.
    unsafe { Box::from_raw(words as *mut [AtomicU64]) }
}

const _: () =
    assert!(align_of::<AtomicU64>() == align_of::<u64>() && size_of::<AtomicU64>() == size_of::<u64>());

fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Drop for Backing {
    fn drop(&mut self) {
        if let Some(layout) = self.layout {
            // SAFETY: `allocate` got the memory with this layout, and nothing keeps the pointer without this value.
            unsafe { dealloc(self.pointer, layout) };
        }
    }
}
