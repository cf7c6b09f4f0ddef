//! Memory, copies and textures. Memory that work in a line uses is freed behind that work.

use std::ptr::NonNull;

use super::state::Job;
use super::{Engine, Immediate, Queued, SHORT, of_bytes};
use crate::Error;
use crate::backend::{DeviceMemory, PinnedMemory, Textures, UnifiedMemory, host_allocation};
use crate::submission::{
    Access, BoxCopy, Contents, Home, Kind, Memory, MemoryId, Place, StreamId, TextureLimits, TextureObjects,
    TextureShape, Ticket,
};

/// The ticket of work that the call did itself: the first piece of a stream's work has the number 1, and a device that has given a ticket
/// has a stream.
const DONE: Ticket = Ticket { stream: 0, number: 0 };

impl<E: Engine> Queued<E> {
    /// Memory of the engine's, with a number of its own.
    fn memory(&self, pointer: NonNull<u8>, home: Home) -> Memory {
        Memory { pointer, id: MemoryId(self.number()), home }
    }
}

impl<E: Engine> DeviceMemory for Queued<E> {
    fn allocate(&self, _: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        self.queue.wait_for_room();
        Ok(self.memory(self.engine().allocate(bytes, contents)?, Home::Device))
    }

    unsafe fn free(&self, memory: Memory, bytes: usize) {
        if self.queue.is_done() {
            // SAFETY: the caller says that it came from here and that nobody submits anything with it; all work before is done.
            return unsafe { self.now().free(memory, bytes) };
        }
        // SAFETY: the caller says that it came from here and that nobody submits anything with it; the queue calls this behind its uses.
        let free = Job::done(move |now| unsafe { now.free(memory, bytes) });
        self.queue.give_back(memory.id, bytes, free);
    }

    #[cfg(feature = "dlpack")]
    fn adopt(&self, stream: StreamId, pointer: NonNull<u8>) -> Result<Memory, Error> {
        self.queue.wait_for(Some(stream), &[]);
        Ok(self.memory(pointer, Home::Device))
    }

    #[cfg(feature = "dlpack")]
    fn release(&self, memory: Memory) {
        self.queue.wait_for(None, &[Access { memory: memory.id, kind: Kind::Write }]);
    }

    fn host_address(&self, place: Place) -> Option<NonNull<u8>> {
        let access = Access { memory: place.memory, kind: Kind::Write };
        let is_used = !self.queue.is_done() && self.queue.lock().before(&[access]).next().is_some();
        if is_used { None } else { self.engine().host_address(place.pointer) }
    }

    unsafe fn write(&self, _: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and it is borrowed, or the turn keeps others away.
        self.wait_and(None, to, Kind::Write, |now| unsafe { now.write(to, from) })
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        self.wait_and(Some(stream), from, Kind::Read, |now| {
            now.report()?;
            // SAFETY: the caller says that there are as many bytes. What wrote them is done, and they are borrowed, or the turn keeps others away.
            unsafe { now.read(from, to) }
        })
    }

    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let bytes = pattern.len().saturating_mul(count);
        let accesses = [Access { memory: to.memory, kind: Kind::Write }];
        let _turn = self.turn(to.is_shared);
        if self.is_for_now(stream, &accesses, || of_bytes(bytes) <= SHORT) {
            // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and it is borrowed, or the turn keeps others away.
            return unsafe { self.engine().fill(to.pointer, pattern, count) };
        }
        let pattern = pattern.to_vec();
        // SAFETY: the caller says that there is room. Earlier uses of the memory are done, and later ones wait for this.
        let work = move |now: &Immediate<E>| unsafe { now.engine.fill(to.pointer(), &pattern, count) };
        self.queue.push(stream, &accesses, Job::of(work));
        Ok(())
    }

    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that both have as many bytes and don't overlap. Earlier uses are done, and later ones wait for this.
        let work = move |now: &Immediate<E>| unsafe { now.engine.copy(from.pointer(), to.pointer(), bytes) };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], bytes, work).map(drop)
    }

    unsafe fn copy_box(&self, stream: StreamId, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error> {
        let copy = *copy;
        // SAFETY: the caller says that the box lies in memory on both sides, which don't overlap. Earlier uses are done, and later ones wait
        // for this.
        let work = move |now: &Immediate<E>| unsafe { now.copy_box(from, to, &copy) };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], copy.bytes(), work).map(drop)
    }
}

impl<E: Engine> UnifiedMemory for Queued<E> {
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        self.queue.wait_for_room();
        let pointer = self.engine().allocate_of_host(bytes)?;
        // SAFETY: just allocated, and valid until `free` has unmapped it. What the host does meanwhile, it does by borrows that
        // exclude launches which write what it reads, or use what it writes.
        if let Err(error) = unsafe { self.engine().map(pointer, bytes) } {
            // SAFETY: just allocated, and nobody else knows of it.
            unsafe { host_allocation::give_back(pointer, bytes) };
            return Err(error);
        }
        Ok(self.memory(pointer, home))
    }

    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error> {
        self.queue.wait_for(None, &[Access { memory, kind }]);
        self.now().report()
    }
}

/// A place in pinned memory, which nobody's uses are kept of.
fn pinned(pointer: NonNull<u8>) -> Place {
    Place { pointer, ..Place::nowhere() }
}

impl<E: Engine> PinnedMemory for Queued<E> {
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.engine().allocate_of_host(bytes)
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, after: Option<Ticket>) {
        let memory = pinned(memory);
        let behind = after.into_iter().filter(|&ticket| ticket != DONE).collect();
        // SAFETY: the caller says that `allocate_pinned` gave it for as many bytes and that only the ticket's work used it, which is done.
        let free = Job::done(move |_| unsafe { host_allocation::give_back(memory.pointer(), bytes) });
        self.queue.give_back_behind(behind, bytes, free);
    }

    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let from = pinned(from);
        // SAFETY: the caller says that both have as many bytes, and that `from` stays until the ticket's work is done, which this is; no
        // memory is both pinned and a buffer's. Earlier uses of `to` are done, and later ones wait for this.
        let work = move |now: &Immediate<E>| unsafe { now.engine.write(to.pointer(), from.pointer(), bytes) };
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
        // SAFETY: the caller says that both have as many bytes, and that nobody looks at `to` until the ticket's work is done, which this
        // is. What wrote `from` is done, and what writes it later waits for this.
        let work = move |now: &Immediate<E>| unsafe { now.engine.read(from.pointer(), to.pointer(), bytes) };
        Ok(self.submit(stream, &[(from, Kind::Read)], bytes, work)?.unwrap_or(DONE))
    }

    fn is_done(&self, ticket: Ticket) -> Result<bool, Error> {
        Ok(ticket == DONE || self.queue.is_done() || self.queue.lock().is_done(ticket))
    }

    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error> {
        if ticket != DONE {
            self.queue.finish(ticket);
        }
        self.now().report()
    }
}

impl<E: Engine> Textures for Queued<E> {
    fn texture_limits(&self) -> Result<TextureLimits, Error> {
        Ok(TextureLimits::PORTABLE)
    }

    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        match self.engine().textures() {
            Some(textures) => Ok(self.memory(textures.allocate(shape)?, Home::Texture)),
            None => self.allocate(stream, shape.bytes(), Contents::Unset),
        }
    }

    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        match self.engine().textures() {
            // SAFETY: the caller says that it is a texture that isn't freed.
            Some(textures) => unsafe { textures.objects(place.pointer) },
            None => TextureObjects::of_memory(place),
        }
    }

    unsafe fn write_texture(
        &self,
        _: StreamId,
        to: Place,
        _: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        // SAFETY: the caller says that it is a texture with as many bytes. Earlier uses are done, and it is borrowed, or the turn keeps others
        // away.
        self.wait_and(None, to, Kind::Write, |now| unsafe { now.write_texture(to, from) })
    }

    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        _: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        self.wait_and(Some(stream), from, Kind::Read, |now| {
            now.report()?;
            // SAFETY: the caller says that it is a texture with as many bytes. What wrote it is done, and it is borrowed, or the turn keeps
            // others away.
            unsafe { now.read_texture(from, to) }
        })
    }

    unsafe fn copy_to_texture(
        &self,
        stream: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        let bytes = shape.bytes();
        // SAFETY: the caller says that it is a texture with as many bytes. Earlier uses are done, and later ones wait for this.
        let work = move |now: &Immediate<E>| unsafe { now.copy_to_texture(from, to, bytes) };
        self.submit(stream, &[(from, Kind::Read), (to, Kind::Write)], bytes, work).map(drop)
    }
}
