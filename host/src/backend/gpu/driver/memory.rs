//! Memory of the device: allocated, filled, copied and freed in the order of streams.

use std::ptr::NonNull;
use std::sync::MutexGuard;

use super::handles::{Address, StreamHandle};
use super::state::{Dropped, DroppedMemory, State};
use super::status::{Called, done};
use super::{Api, Driver, Status, Vendor};
use crate::backend::DeviceMemory;
use crate::submission::{Access, BoxCopy, Contents, Home, Kind, Memory, Place, StreamId, Ticket};
use crate::{Error, Priority};

/// The largest element, in bytes, that `fill` gives to the driver in numbers. A larger one is copied from the host.
const MOST_PATTERN: usize = 256;

pub(super) fn address(pointer: NonNull<u8>) -> Address {
    pointer.as_ptr().expose_provenance() as Address
}

impl<V: Vendor> DeviceMemory for Driver<V> {
    fn allocate(&self, stream: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        let mut state = self.begin()?;
        let (mut address, mut status) = self.try_allocate(&state, stream, bytes);
        if status == Status::OUT_OF_MEMORY {
            // What was dropped may still be in use, or in the pool.
            drop(state);
            self.reclaim();
            state = self.begin()?;
            (address, status) = self.try_allocate(&state, stream, bytes);
        }
        if status == Status::OUT_OF_MEMORY {
            return Err(self.out_of_memory(bytes));
        }
        let call = self.traits.pool.as_ref().map_or(self.api().allocate.name, |pool| pool.allocate.name);
        self.check(&state, call, status)?;
        let raw = state.stream(stream).raw;
        if contents == Contents::Zero {
            // SAFETY: as many bytes were just allocated, in the order of this stream.
            let status = unsafe { (self.api().set_8_bits.call)(address, 0, bytes, raw) };
            if status != Status::SUCCESS {
                state.dropped.push(Dropped { memory: DroppedMemory::Device(address), uses: Vec::new() });
                return Err(self.error_in(&state, self.api().set_8_bits.name, status));
            }
        }
        let pointer = NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize))
            .ok_or_else(|| self.out_of_memory(bytes))?;
        let id = state.add_memory();
        // On another stream the memory is there, and zero, only behind this.
        let number = state.stream_mut(stream).submit(None);
        state.uses(id).add(Kind::Write, Ticket { stream: stream.0, number });
        Ok(Memory { pointer, id, home: Home::Device })
    }

    /// Frees a buffer behind its uses.
    unsafe fn free(&self, memory: Memory, _: usize) {
        if memory.home == Home::Texture {
            // SAFETY: the caller says that `allocate_texture` gave it, and that nobody uses it any more.
            return unsafe { self.free_texture(memory) };
        }
        // There is nobody to tell of errors. What isn't freed here is freed when the device is closed.
        let entered = self.enter();
        let state = &mut *self.lock();
        let uses: Vec<_> = state.unfinished(memory.id).collect();
        let home = state.uses(memory.id).all().next();
        state.remove_memory(memory.id);
        let address = address(memory.pointer);
        let of_pool = memory.home == Home::Device && self.traits.pool.is_some();
        let freed = of_pool && entered.is_ok() && self.free_in_order(state, address, &uses, home);
        if !freed {
            let memory = match memory.home {
                Home::Mapped => DroppedMemory::Host(address as usize),
                // A texture of the driver's isn't freed here.
                Home::Device | Home::Unified | Home::Texture => DroppedMemory::Device(address),
            };
            state.dropped.push(Dropped { memory, uses });
        }
        if entered.is_ok() && !of_pool {
            self.free_dropped(state);
        }
    }

    #[cfg(feature = "dlpack")]
    fn adopt(&self, stream: StreamId, pointer: NonNull<u8>) -> Result<Memory, Error> {
        drop(self.begin()?);
        let memory = self.take_memory(stream, address(pointer));
        // An address that isn't null.
        memory.ok_or_else(|| self.out_of_memory(0))
    }

    #[cfg(feature = "dlpack")]
    fn release(&self, memory: Memory) {
        let uses: Vec<Ticket> = self.lock().unfinished(memory.id).collect();
        // There is nobody to tell of errors: where waiting fails, nothing runs on the device any more.
        if uses.into_iter().any(|ticket| self.wait_for_ticket(ticket).is_err()) {
            let _ = self.wait_for_all();
        }
        self.give_memory(memory.id);
    }

    #[cfg(feature = "dlpack")]
    fn wait_for_others(&self) {
        // There is nobody to tell.
        let _ = self.wait_for_all();
    }

    unsafe fn write(&self, stream: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        let access = Access { memory: to.memory, kind: Kind::Write };
        let (_turn, raw, number) = self.wait_on(stream, access, to.is_shared)?;
        // SAFETY: `to` has room, as the caller says; the stream waits for its other uses, and the slice stays until the copy is
        // done.
        let status = unsafe {
            (self.api().copy_to_device.call)(address(to.pointer), from.as_ptr().cast(), from.len(), raw)
        };
        // Also after an error: nothing may read the slice when this returns.
        let finished = self.wait_for_stream(stream, raw, number);
        self.checked(self.api().copy_to_device.name, status)?;
        finished
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        let access = Access { memory: from.memory, kind: Kind::Read };
        let (turn, raw, number) = self.wait_on(stream, access, from.is_shared)?;
        // SAFETY: the caller says that `from` has as many bytes; the stream waits for what writes them. Slice and buffer are
        // borrowed until the copy is done.
        let status = unsafe {
            (self.api().copy_to_host.call)(to.as_mut_ptr().cast(), address(from.pointer), to.len(), raw)
        };
        // Also after an error: nothing may write to the slice when this returns.
        let finished = self.wait_for_stream(stream, raw, number);
        // Before the program is told anything.
        drop(turn);
        self.checked(self.api().copy_to_host.name, status)?;
        finished?;
        self.report()
    }

    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let (unit, from) = (period(pattern), address(to.pointer));
        let is_large = unit > MOST_PATTERN;
        // No replay may come between the first pattern and the others.
        let _turn = (is_large && to.is_shared).then(|| self.turn());
        if is_large {
            // SAFETY: there is room for one at least.
            unsafe { self.write(stream, Place { is_shared: false, ..to }, pattern) }?;
        }
        let access = Access { memory: to.memory, kind: Kind::Write };
        self.submit(stream, &[access], |api, stream| {
            // SAFETY: the caller says that `to` has room for `count` patterns; the stream waits for the memory's other uses.
            unsafe {
                fill(
                    api,
                    stream,
                    from,
                    pattern.get(..unit).unwrap_or(pattern),
                    pattern.len() * count,
                    is_large,
                )
            }
        })
        .map(|_| ())
    }

    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        let accesses = [
            Access { memory: from.memory, kind: Kind::Read },
            Access { memory: to.memory, kind: Kind::Write },
        ];
        self.submit(stream, &accesses, |api, stream| {
            // SAFETY: the caller says that `from` has the bytes, `to` has room, and the two don't overlap; the stream waits for the
            // other uses of both.
            unsafe { copy(api, stream, from, to, bytes) }
        })
        .map(|_| ())
    }

    unsafe fn copy_box(&self, stream: StreamId, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error> {
        let accesses = [
            Access { memory: from.memory, kind: Kind::Read },
            Access { memory: to.memory, kind: Kind::Write },
        ];
        // The calls for rows want the device's memory on both sides.
        let is_on_device = from.home == Home::Device && to.home == Home::Device;
        let (from, to) = (address(from.pointer), address(to.pointer));
        self.submit(stream, &accesses, |api, stream| {
            // SAFETY: the caller says that the box lies in memory on both sides, which don't overlap; the stream waits for the other uses of both.
            let in_one = || unsafe { self.vendor.copy_box(to, from, copy, stream) };
            if let Some((call, status)) = is_on_device.then(in_one).flatten() {
                return done(call, status);
            }
            let call = api.copy_on_device;
            copy.offsets().try_for_each(|(from_offset, to_offset)| {
                let (from, to) = (from + from_offset as Address, to + to_offset as Address);
                // SAFETY: a row of the box, which lies in memory on both sides, which don't overlap; the stream waits for their other uses.
                done(call.name, unsafe { (call.call)(to, from, copy.row, stream) })
            })
        })
        .map(|_| ())
    }
}

impl<V: Vendor> Driver<V> {
    fn try_allocate(&self, state: &State, stream: StreamId, bytes: usize) -> (Address, Status) {
        let mut address = 0;
        let status = match &self.traits.pool {
            // SAFETY: the context is current, and has the stream; an address to write.
            Some(pool) => unsafe { (pool.allocate.call)(&raw mut address, bytes, state.stream(stream).raw) },
            // SAFETY: the context is current; an address to write.
            None => unsafe { (self.api().allocate.call)(&raw mut address, bytes) },
        };
        (address, status)
    }

    /// Waits for all work, and frees what was dropped.
    pub(super) fn reclaim(&self) {
        // An error is reported by the allocation that comes next.
        // SAFETY: the context is current.
        let _ = unsafe { (self.api().synchronize_context.call)() };
        self.free_dropped(&mut self.lock());
        if let Some(pool) = &self.traits.pool {
            pool.trim();
        }
    }

    /// Has the pool take memory back when its unfinished uses are done. `home` is any use, for its stream.
    fn free_in_order(
        &self,
        state: &mut State,
        address: Address,
        uses: &[Ticket],
        home: Option<Ticket>,
    ) -> bool {
        let (Some(pool), Some(first)) = (&self.traits.pool, uses.first().copied().or(home)) else {
            return false;
        };
        let is_there = !state.stream(StreamId(first.stream)).sharing.is_retired();
        let on_one_stream = is_there && uses.iter().all(|ticket| ticket.stream == first.stream);
        let stream = if on_one_stream {
            StreamId(first.stream)
        } else {
            // No stream of the program's waits for the others because of what it doesn't have any more.
            let Some(freeing) = self.freeing_stream(state) else { return false };
            if uses.iter().any(|&ticket| state.wait_for(self.api(), freeing, ticket).is_err()) {
                return false;
            }
            freeing
        };
        // SAFETY: memory of the pool, whose uses the stream has behind it; the caller of `free` says that nobody submits others.
        unsafe { (pool.free.call)(address, state.stream(stream).raw) == Status::SUCCESS }
    }

    fn freeing_stream(&self, state: &mut State) -> Option<StreamId> {
        if state.freeing.is_none() {
            state.freeing = state.create_stream(self.api(), Priority::NORMAL).ok();
        }
        state.freeing
    }

    /// Frees what was dropped and isn't used any more. The context is current.
    pub(super) fn free_dropped(&self, state: &mut State) {
        if state.dropped.is_empty() {
            return;
        }
        for memory in state.take_freeable(self.api()) {
            match memory {
                // It has functions of the program's, which mustn't be dropped with the lock held.
                DroppedMemory::Graph(exec) => state.graphs.finished.push(*exec),
                memory => self.free_now(memory),
            }
        }
    }

    /// Frees memory that nobody uses. The context is current.
    pub(super) fn free_now(&self, memory: DroppedMemory) {
        // There is nobody to tell.
        let _ = match memory {
            // SAFETY: allocated by the driver, dropped once, and its uses are done.
            DroppedMemory::Device(address) => unsafe { (self.api().free.call)(address) },
            // SAFETY: memory of the host that the driver allocated, dropped once, and its uses are done.
            DroppedMemory::Host(address) => unsafe {
                (self.api().free_host.call)(std::ptr::with_exposed_provenance_mut(address))
            },
            DroppedMemory::Texture(texture) => {
                self.destroy_texture(&texture);
                Status::SUCCESS
            }
            DroppedMemory::Graph(exec) => {
                exec.destroy(self.api());
                Status::SUCCESS
            }
        };
    }

    /// Has a stream wait for other streams' uses of memory, for a copy that is waited for. Whoever has the borrow of the buffer
    /// waits for the copy: nobody else uses it, and no use needs to be noted. But replays use shared memory without a borrow: they
    /// are kept away by the turn. Gives the stream too, and how much it was given so far.
    pub(super) fn wait_on(
        &self,
        stream: StreamId,
        access: Access,
        is_shared: bool,
    ) -> Result<(Option<MutexGuard<'_, ()>>, StreamHandle, u64), Error> {
        if !is_shared {
            let (raw, number) = self.wait_for_others(stream, access)?;
            return Ok((None, raw, number));
        }
        // What takes long is waited for without the turn.
        let (raw, number) = self.wait_for_others(stream, access)?;
        self.wait_for_stream(stream, raw, number)?;
        let turn = self.turn();
        let (raw, number) = self.wait_for_others(stream, access)?;
        Ok((Some(turn), raw, number))
    }

    fn wait_for_others(&self, stream: StreamId, access: Access) -> Result<(StreamHandle, u64), Error> {
        let mut state = self.begin()?;
        let waited = state.wait_for_uses(self.api(), stream, access);
        waited.map_err(|status| self.error_in(&state, self.api().wait_event.name, status))?;
        Ok((state.stream(stream).raw, state.stream(stream).submitted))
    }

    /// Gives work on memory to a stream behind what it must wait for, and notes that.
    pub(super) fn submit(
        &self,
        stream: StreamId,
        accesses: &[Access],
        work: impl FnOnce(&Api, StreamHandle) -> Result<(), Called>,
    ) -> Result<Ticket, Error> {
        let state = &mut *self.begin()?;
        for &access in accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        let done = work(self.api(), state.stream(stream).raw);
        // Also after an error: a part of the work may have been taken.
        let ticket = Ticket { stream: stream.0, number: state.stream_mut(stream).submit(None) };
        state.add_uses(self.api(), accesses, ticket);
        done.map_err(|(call, status)| self.error_in(state, call, status))?;
        Ok(ticket)
    }
}

/// Copies by the function for the two places: mapped memory is the host's, and pinned.
///
/// # Safety
/// `from` has the bytes, `to` has room for them, and the two don't overlap, until the copy is done.
unsafe fn copy(api: &Api, stream: StreamHandle, from: Place, to: Place, bytes: usize) -> Result<(), Called> {
    let (source, target) = (from.pointer, to.pointer);
    // SAFETY: the caller says that both have the bytes until the copy is done; each function has the memory that it is for.
    unsafe {
        match (from.home == Home::Mapped, to.home == Home::Mapped) {
            (true, false) => {
                let (call, from) = (&api.copy_to_device, source.as_ptr().cast_const().cast());
                done(call.name, (call.call)(address(target), from, bytes, stream))
            }
            (false, true) => {
                let call = &api.copy_to_host;
                done(call.name, (call.call)(target.as_ptr().cast(), address(source), bytes, stream))
            }
            _ => {
                let call = &api.copy_on_device;
                done(call.name, (call.call)(address(target), address(source), bytes, stream))
            }
        }
    }
}

/// The length of the shortest of 1, 2, 4 bytes that a pattern repeats, or of the pattern.
pub(super) fn period(pattern: &[u8]) -> usize {
    let repeats = |len: &usize| {
        let (first, is_whole) = (pattern.get(..*len), pattern.len().is_multiple_of(*len));
        is_whole && pattern.chunks_exact(*len).all(|chunk| Some(chunk) == first)
    };
    [1, 2, 4].into_iter().find(repeats).unwrap_or(pattern.len())
}

/// Repeats a pattern over so many bytes, a multiple of its length, of memory at a multiple of its length in a buffer. The
/// first one may be there already.
///
/// # Safety
/// The memory has as many bytes.
unsafe fn fill(
    api: &Api,
    stream: StreamHandle,
    to: Address,
    pattern: &[u8],
    bytes: usize,
    is_begun: bool,
) -> Result<(), Called> {
    // SAFETY: the caller says that there are as many bytes, at a multiple of a unit's length in a buffer, whose memory is aligned.
    let set = |to: Address, unit: &[u8], count: usize| unsafe {
        match *unit {
            [a] => done(api.set_8_bits.name, (api.set_8_bits.call)(to, a, count, stream)),
            [a, b] => done(
                api.set_16_bits.name,
                (api.set_16_bits.call)(to, u16::from_le_bytes([a, b]), count, stream),
            ),
            [a, b, c, d] => done(
                api.set_32_bits.name,
                (api.set_32_bits.call)(to, u32::from_le_bytes([a, b, c, d]), count, stream),
            ),
            _ => Ok(()),
        }
    };
    let len = pattern.len();
    if matches!(len, 1 | 2 | 4) {
        return set(to, pattern, bytes / len);
    }
    if !is_begun {
        let unit = [4, 2, 1].into_iter().find(|&unit| len.is_multiple_of(unit)).unwrap_or(1);
        for (i, word) in pattern.chunks_exact(unit).enumerate() {
            set(to + (i * unit) as Address, word, 1)?;
        }
    }
    // What is there, again behind it.
    let mut there = len;
    while there < bytes {
        let more = there.min(bytes - there);
        // SAFETY: the caller says that there are as many bytes; the two parts don't overlap, and the stream copies in order.
        let status = unsafe { (api.copy_on_device.call)(to + there as Address, to, more, stream) };
        done(api.copy_on_device.name, status)?;
        there += more;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::period;

    #[test]
    fn patterns_are_as_short_as_they_can_be() {
        assert_eq!(period(&[7]), 1);
        assert_eq!(period(&[0; 8]), 1);
        assert_eq!(period(&[1, 2, 1, 2, 1, 2]), 2);
        assert_eq!(period(&[1, 2, 3, 4, 1, 2, 3, 4]), 4);
        assert_eq!(period(&[1, 2, 3]), 3);
        assert_eq!(period(&[1, 2, 3, 4, 5, 6, 7, 8]), 8);
        assert_eq!(period(&[1, 1, 1, 1, 1, 2]), 6);
    }
}
