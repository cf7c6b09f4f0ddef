//! The heap of kernels, in the device's memory.
//!
//! Threads find it by the [`Record`]. One piece of memory has all: what the heap is, the states and bits of its chunks, and behind
//! them the chunks.

use std::mem::offset_of;

use gridwright_core::{Heap, HeapUsage, Record};

use super::Link;
use crate::Error;

/// The bytes of a heap where nobody sets them.
const DEFAULT_BYTES: usize = 8 << 20;

/// Bytes that are cleared by one copy.
const AT_ONCE: usize = 1 << 20;

/// Memory for a heap, by whoever has the device's.
pub(in crate::backend::gpu) trait HeapMemory: Link {
    /// Memory of as many bytes.
    fn allocate(&self, bytes: usize) -> Result<u64, Error>;

    /// Gives memory back that `allocate` gave, and that no kernel uses.
    fn free(&self, memory: u64);
}

/// A device's heap, once kernels were loaded that may allocate, and how large it is or will be.
#[derive(Debug)]
pub(in crate::backend::gpu) struct KernelHeap {
    chunks: usize,
    memory: Option<u64>,
    /// Whether the heap was made once: a kernel that allocates is loaded.
    is_needed: bool,
}

impl Default for KernelHeap {
    fn default() -> Self {
        Self { chunks: DEFAULT_BYTES / Heap::CHUNK, memory: None, is_needed: false }
    }
}

impl KernelHeap {
    /// The bytes of a heap before its chunks' states.
    const HEAD: usize = size_of::<Heap>().next_multiple_of(256);

    /// Makes the heap, if it isn't there, and tells the threads of a record where it is.
    pub(in crate::backend::gpu) fn provide(
        &mut self,
        link: &impl HeapMemory,
        record: u64,
    ) -> Result<(), Error> {
        self.is_needed = true;
        if self.memory.is_none() {
            let memory = Self::make(link, self.chunks)?;
            if let Err(error) = tell(link, record, memory) {
                link.free(memory);
                return Err(error);
            }
            self.memory = Some(memory);
        }
        Ok(())
    }

    /// Lets the heap have at least as many bytes, when it is made.
    pub(in crate::backend::gpu) fn set_bytes(&mut self, bytes: usize) {
        self.chunks = bytes.div_ceil(Heap::CHUNK).clamp(1, Heap::MOST_CHUNKS);
    }

    /// Makes the heap anew, if kernels need one, with at least as many bytes. What was allocated is gone, and if there is no
    /// memory for it, so is the heap, until it is asked for fewer. No kernel runs.
    pub(in crate::backend::gpu) fn resize(
        &mut self,
        link: &impl HeapMemory,
        record: u64,
        bytes: usize,
    ) -> Result<(), Error> {
        self.set_bytes(bytes);
        if let Some(old) = self.memory.take() {
            // The old one goes first: there may be no room for both.
            if let Err(error) = tell(link, record, 0) {
                self.memory = Some(old);
                return Err(error);
            }
            link.free(old);
        }
        if self.is_needed { self.provide(link, record) } else { Ok(()) }
    }

    /// Takes back what kernels didn't free. No kernel runs.
    pub(in crate::backend::gpu) fn clear(&self, link: &impl Link) -> Result<(), Error> {
        let Some(memory) = self.memory else { return Ok(()) };
        zero(link, memory + Self::HEAD as u64, Heap::table_bytes(self.chunks))
    }

    /// The memory that is given out. No kernel runs.
    pub(in crate::backend::gpu) fn usage(&self, link: &impl Link) -> Result<HeapUsage, Error> {
        let Some(memory) = self.memory else { return Ok(HeapUsage::default()) };
        let mut states = vec![0; self.chunks * size_of::<u32>()];
        link.read(memory + Self::HEAD as u64, &mut states)?;
        let (states, _) = states.as_chunks();
        Ok(HeapUsage::of_states(states.iter().copied().map(u32::from_le_bytes)))
    }

    /// Gives the heap's memory back. No kernel runs any more.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    pub(in crate::backend::gpu) fn release(&mut self, link: &impl HeapMemory) {
        if let Some(memory) = self.memory.take() {
            link.free(memory);
        }
    }

    /// A heap of so many chunks, all of them free and zero.
    fn make(link: &impl HeapMemory, chunks: usize) -> Result<u64, Error> {
        let tables = Self::HEAD + Heap::table_bytes(chunks);
        // A chunk more, so that the first can begin at a multiple of its size.
        let bytes = tables + (chunks + 1) * Heap::CHUNK;
        let memory = link.allocate(bytes)?;
        let states = memory + Self::HEAD as u64;
        let bits = states + (chunks * size_of::<u32>()) as u64;
        let first = (memory + tables as u64).next_multiple_of(Heap::CHUNK as u64);
        let mut head = [0; Self::HEAD];
        for (offset, value) in [
            (offset_of!(Heap, chunks), chunks as u64),
            (offset_of!(Heap, memory), first),
            (offset_of!(Heap, states), states),
            (offset_of!(Heap, bits), bits),
        ] {
            head[offset..offset + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        }
        // Kernels read no memory of others, and the emulator's checks none that nobody has written.
        let made = zero(link, memory, bytes).and_then(|()| link.write(memory, &head));
        if let Err(error) = made {
            link.free(memory);
            return Err(error);
        }
        Ok(memory)
    }
}

/// Tells the threads of a record where their heap is, or that there is none: 0.
fn tell(link: &impl Link, record: u64, heap: u64) -> Result<(), Error> {
    link.write(record + offset_of!(Record, heap) as u64, &heap.to_le_bytes())
}

fn zero(link: &impl Link, from: u64, bytes: usize) -> Result<(), Error> {
    let zeros = vec![0; bytes.min(AT_ONCE)];
    let mut done = 0;
    while done < bytes {
        let now = zeros.len().min(bytes - done);
        link.write(from + done as u64, zeros.get(..now).unwrap_or_default())?;
        done += now;
    }
    Ok(())
}
