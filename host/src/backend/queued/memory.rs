//! Memory, copies and textures. Memory that work in a line uses is freed behind that work.

use std::ptr::NonNull;

use super::{Immediate, Queued, SHORT, job, of_bytes, own};
use crate::Error;
use crate::backend::immediate::Engine;
use crate::backend::{DeviceMemory, PinnedMemory, Streams, Textures, UnifiedMemory};
use crate::submission::{
    Access, BoxCopy, Contents, Home, Kind, Memory, MemoryId, Place, StreamId, TextureLimits, TextureObjects,
    TextureShape, Ticket,
};

/// The ticket of work that the call did itself: the first piece of a stream's work has the number 1, and a device that has given a ticket
/// has a stream.
const DONE: Ticket = Ticket { stream: 0, number: 0 };

impl<E: Engine> DeviceMemory for Queued<E> {
    fn allocate(&self, stream: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        let memory = self.now().allocate(stream, bytes, contents)?;
        Ok(Memory { id: MemoryId(self.number()), ..memory })
    }

    unsafe fn free(&self, memory: Memory, bytes: usize) {
        if self.queue.is_done() {
            // SAFETY: the caller says that it came from here and that nobody submits anything with it; all work before is done.
            return unsafe { self.now().free(memory, bytes) };
        }
        // SAFETY: the caller says that it came from here and that nobody submits anything with it; the queue calls this behind its uses.
        self.queue.give_back(memory.id, Box::new(move |now| unsafe { now.free(memory, bytes) }));
    }

    #[cfg(feature = "dlpack")]
    fn adopt(&self, stream: StreamId, pointer: NonNull<u8>) -> Result<Memory, Error> {
        self.queue.wait_for(Some(stream), &[]);
        let memory = self.now().adopt(stream, pointer)?;
        Ok(Memory { id: MemoryId(self.number()), ..memory })
    }

    #[cfg(feature = "dlpack")]
    fn release(&self, memory: Memory) {
        self.queue.wait_for(None, &[Access { memory: memory.id, kind: Kind::Write }]);
        self.now().release(memory);
    }

    fn host_address(&self, place: Place) -> Option<NonNull<u8>> {
        let access = Access { memory: place.memory, kind: Kind::Write };
        let is_used = !self.queue.is_done() && self.queue.lock().before(access).next().is_some();
        if is_used { None } else { self.now().host_address(place) }
    }

    unsafe fn write(&self, stream: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and it is borrowed, or the turn keeps others away.
        self.wait_and(None, to, Kind::Write, |now| unsafe { now.write(stream, own(to), from) })
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there are as many bytes. What wrote them is done, and they are borrowed, or the turn keeps others away.
        self.wait_and(Some(stream), from, Kind::Read, |now| unsafe { now.read(stream, own(from), to) })
    }

    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let bytes = pattern.len().saturating_mul(count);
        let accesses = [Access { memory: to.memory, kind: Kind::Write }];
        let _turn = self.turn(to.is_shared);
        if self.is_for_now(stream, &accesses, || of_bytes(bytes) <= SHORT) {
            // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and it is borrowed, or the turn keeps others away.
            return unsafe { self.now().fill(stream, own(to), pattern, count) };
        }
        let pattern = pattern.to_vec();
        // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and later ones wait for this.
        let work = job(move |now| unsafe { now.fill(stream, own(to), &pattern, count) });
        self.queue.push(stream, &accesses, Vec::new(), work);
        Ok(())
    }

    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        let work = move |now: &Immediate<E>| {
            // SAFETY: the caller says that both have as many bytes and don't overlap. Earlier uses are done, and later ones wait for this.
            unsafe { now.copy(stream, own(from), own(to), bytes) }
        };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], bytes, work).map(drop)
    }

    unsafe fn copy_box(&self, stream: StreamId, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error> {
        let copy = *copy;
        let bytes = copy.row.saturating_mul(copy.rows).saturating_mul(copy.planes);
        let work = move |now: &Immediate<E>| {
            // SAFETY: the caller says that the box lies in memory on both sides, which don't overlap. Earlier uses are done, and later ones
            // wait for this.
            unsafe { now.copy_box(stream, own(from), own(to), &copy) }
        };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], bytes, work).map(drop)
    }
}

impl<E: Engine> UnifiedMemory for Queued<E> {
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        let memory = self.now().allocate_unified(bytes, home)?;
        Ok(Memory { id: MemoryId(self.number()), ..memory })
    }

    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error> {
        self.queue.wait_for(None, &[Access { memory, kind }]);
        self.now().wait_for_memory(memory, kind)
    }
}

/// Memory of the host, as an address that another thread may have.
fn pinned(pointer: NonNull<u8>) -> Memory {
    Memory { pointer, id: MemoryId::NONE, home: Home::Mapped }
}

impl<E: Engine> PinnedMemory for Queued<E> {
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.now().allocate_pinned(bytes)
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, after: Option<Ticket>) {
        let memory = pinned(memory);
        let behind = after.into_iter().filter(|&ticket| ticket != DONE).collect();
        let job = Box::new(move |now: &Immediate<E>| {
            let memory = memory;
            // SAFETY: the caller says that it came from here and that only the ticket's work used it, which is done.
            unsafe { now.free_pinned(memory.pointer, bytes, None) }
        });
        self.queue.give_back_behind(behind, job);
    }

    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let from = pinned(from);
        let work = move |now: &Immediate<E>| {
            let from = from;
            // SAFETY: the caller says that both have as many bytes, and that `from` stays until the ticket's work is done, which this is. Earlier
            // uses of `to` are done, and later ones wait for this.
            unsafe { now.write_pinned(stream, own(to), from.pointer, bytes) }.map(drop)
        };
        Ok(self.submit(stream, &[(to, Kind::Write)], bytes, work)?.unwrap_or(DONE))
    }

    unsafe fn read_pinned(
        &self,
        stream: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let to = pinned(to);
        let work = move |now: &Immediate<E>| {
            let to = to;
            // SAFETY: the caller says that both have as many bytes, and that nobody looks at `to` until the ticket's work is done, which this
            // is. What wrote `from` is done, and what writes it later waits for this.
            unsafe { now.read_pinned(stream, own(from), to.pointer, bytes) }.map(drop)
        };
        Ok(self.submit(stream, &[(from, Kind::Read)], bytes, work)?.unwrap_or(DONE))
    }

    fn is_done(&self, ticket: Ticket) -> Result<bool, Error> {
        Ok(ticket == DONE || self.queue.is_done() || self.queue.lock().is_done(ticket))
    }

    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error> {
        if ticket != DONE {
            self.queue.finish(ticket);
        }
        self.now().synchronize(StreamId(ticket.stream))
    }
}

impl<E: Engine> Textures for Queued<E> {
    fn texture_limits(&self) -> Result<TextureLimits, Error> {
        self.now().texture_limits()
    }

    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        let memory = self.now().allocate_texture(stream, shape)?;
        Ok(Memory { id: MemoryId(self.number()), ..memory })
    }

    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        // SAFETY: the caller says that it is a texture that isn't freed.
        unsafe { self.now().texture_objects(place) }
    }

    unsafe fn write_texture(
        &self,
        stream: StreamId,
        to: Place,
        shape: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        // SAFETY: the caller says that it is a texture of this shape, with as many bytes. Earlier uses are done, and it is borrowed, or the turn
        // keeps others away.
        self.wait_and(None, to, Kind::Write, |now| unsafe { now.write_texture(stream, own(to), shape, from) })
    }

    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        shape: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        self.wait_and(Some(stream), from, Kind::Read, |now| {
            // SAFETY: the caller says that it is a texture of this shape, with as many bytes. What wrote it is done, and it is borrowed, or the
            // turn keeps others away.
            unsafe { now.read_texture(stream, own(from), shape, to) }
        })
    }

    unsafe fn copy_to_texture(
        &self,
        stream: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        let shape = *shape;
        let work = move |now: &Immediate<E>| {
            // SAFETY: the caller says that it is a texture of this shape, with as many bytes. Earlier uses are done, and later ones wait for this.
            unsafe { now.copy_to_texture(stream, own(from), own(to), &shape) }
        };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], shape.bytes(), work).map(drop)
    }
}
