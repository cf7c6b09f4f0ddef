//! What of a device changes: its streams, who uses which memory, and what is to be freed. One lock guards all of it, so
//! that the order of the calls is the order of the work.

use super::event::Event;
use super::graph::{Exec, Graphs};
use super::handles::Address;
use super::stream::Stream;
use super::textures::DriverTexture;
use super::{Api, Status};
use crate::Priority;
use crate::backend::gpu::{Arguments, Launched};
use crate::backend::uses::Uses;
use crate::submission::{Access, Kind, MemoryId, StreamId, Ticket};

#[derive(Debug, Default)]
pub(super) struct State {
    /// All streams that were ever made. A ticket's number is for ever, and a stream that was closed is opened
    /// again.
    pub(super) streams: Vec<Stream>,
    pub(super) closed: Vec<StreamId>,
    /// The uses of each buffer, by its number.
    memory: Vec<Uses>,
    unused: Vec<MemoryId>,
    /// Timed events that nobody has.
    pub(super) events: Vec<Event>,
    pub(super) graphs: Graphs,
    /// Memory that is freed when its uses are done.
    pub(super) dropped: Vec<Dropped>,
    /// The stream that frees memory that several streams used, made when it is first needed.
    pub(super) freeing: Option<StreamId>,
    /// The last launch's arguments, for the room that they have: a launch allocates nothing.
    pub(super) arguments: Arguments,
    /// The kernels whose panics may not be told yet.
    pub(super) launched: Launched,
}

/// Memory that nobody has any more, and the uses that may still be running.
#[derive(Debug)]
pub(super) struct Dropped {
    pub(super) memory: DroppedMemory,
    pub(super) uses: Vec<Ticket>,
}

#[derive(Debug)]
pub(super) enum DroppedMemory {
    Device(Address),
    Host(usize),
    Texture(Box<DriverTexture>),
    Graph(Box<Exec>),
}

impl State {
    /// The number of a new stream. The context is current.
    pub(super) fn create_stream(&mut self, api: &Api, priority: Priority) -> Result<StreamId, Status> {
        let stream = Stream::create(api, priority)?;
        self.streams.push(stream);
        Ok(StreamId(self.streams.len() as u32 - 1))
    }

    /// The stream that follows one of another device, by that one's address.
    pub(super) fn follower(&self, leader: usize) -> Option<StreamId> {
        let place = self.streams.iter().position(|stream| stream.follows == Some(leader))?;
        Some(StreamId(place as u32))
    }

    #[inline]
    pub(super) fn stream(&self, stream: StreamId) -> &Stream {
        &self.streams[stream.0 as usize]
    }

    #[inline]
    pub(super) fn stream_mut(&mut self, stream: StreamId) -> &mut Stream {
        &mut self.streams[stream.0 as usize]
    }

    /// A number for new memory.
    pub(super) fn add_memory(&mut self) -> MemoryId {
        self.unused.pop().unwrap_or_else(|| {
            self.memory.push(Uses::default());
            MemoryId(self.memory.len() as u64 - 1)
        })
    }

    pub(super) fn uses(&mut self, memory: MemoryId) -> &mut Uses {
        &mut self.memory[memory.0 as usize]
    }

    /// The uses of memory that may still be running and come before one of this kind that is on no stream.
    pub(super) fn uses_before(&self, memory: MemoryId, kind: Kind) -> impl Iterator<Item = Ticket> {
        let uses = self.memory[memory.0 as usize].before_any(kind);
        uses.filter(|ticket| self.streams[ticket.stream as usize].done < ticket.number)
    }

    /// The uses of memory that may still be running.
    pub(super) fn unfinished(&self, memory: MemoryId) -> impl Iterator<Item = Ticket> {
        let uses = self.memory[memory.0 as usize].all();
        uses.filter(|ticket| self.streams[ticket.stream as usize].done < ticket.number)
    }

    /// Takes back a number.
    pub(super) fn remove_memory(&mut self, memory: MemoryId) {
        self.uses(memory).clear();
        self.unused.push(memory);
    }

    /// Has a stream wait for the uses of memory that come before a new one. The context is current.
    #[inline]
    pub(super) fn wait_for_uses(
        &mut self,
        api: &Api,
        stream: StreamId,
        access: Access,
    ) -> Result<(), Status> {
        let uses = &mut self.memory[access.memory.0 as usize];
        let mut met = false;
        for earlier in uses.before(access.kind, stream.0) {
            met |= wait_for(&mut self.streams, api, stream, earlier)?;
        }
        if met {
            uses.met();
        }
        Ok(())
    }

    /// Has a stream wait for a piece of another's work. The context is current.
    pub(super) fn wait_for(&mut self, api: &Api, stream: StreamId, earlier: Ticket) -> Result<(), Status> {
        wait_for(&mut self.streams, api, stream, earlier).map(|_| ())
    }

    /// Adds uses of memory by a piece of work, which waits for those before it. The context is current.
    #[inline]
    pub(super) fn add_uses(&mut self, api: &Api, accesses: &[Access], ticket: Ticket) {
        let mut takes_mark = false;
        for access in accesses {
            let uses = &mut self.memory[access.memory.0 as usize];
            uses.add(access.kind, ticket);
            takes_mark |= uses.takes_mark();
        }
        if takes_mark {
            // Without its mark the next stream waits for more than it must, and reports what is wrong.
            let _ = self.streams[ticket.stream as usize].mark(api);
        }
    }

    /// Whether a piece of work is done. The context is current.
    pub(super) fn is_done(&mut self, api: &Api, ticket: Ticket) -> Result<bool, Status> {
        let stream = &mut self.streams[ticket.stream as usize];
        if stream.done >= ticket.number {
            return Ok(true);
        }
        let (event, number) = stream.event_behind(api, ticket.number)?;
        // SAFETY: recorded by its stream.
        match unsafe { (api.query_event.call)(event) } {
            Status::SUCCESS => {
                stream.finish(number);
                Ok(true)
            }
            Status::NOT_READY => Ok(false),
            status => Err(status),
        }
    }

    /// Dropped memory whose uses are done. The context is current.
    pub(super) fn take_freeable(&mut self, api: &Api) -> Vec<DroppedMemory> {
        let mut freeable = Vec::new();
        for dropped in std::mem::take(&mut self.dropped) {
            // On an error it stays until the device is closed.
            let done = dropped.uses.iter().all(|&ticket| self.is_done(api, ticket).unwrap_or(false));
            if done {
                freeable.push(dropped.memory);
            } else {
                self.dropped.push(dropped);
            }
        }
        freeable
    }

    /// Whether all kernels that were submitted are known to be done.
    pub(super) fn is_idle(&self) -> bool {
        let mut with_kernels = self.streams.iter().filter(|stream| stream.follows.is_none());
        with_kernels.all(|stream| stream.done >= stream.submitted)
    }

    /// Kernels that may be running or waiting, each once.
    pub(super) fn unfinished_kernels(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.streams.iter().flat_map(Stream::unfinished_kernels).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Has a stream wait for a piece of another's work, unless it is done or waited for. Whether the driver had to be told.
#[inline]
fn wait_for(streams: &mut [Stream], api: &Api, stream: StreamId, earlier: Ticket) -> Result<bool, Status> {
    let (waiting, other) = (stream.0 as usize, earlier.stream as usize);
    if waiting == other || streams[other].done >= earlier.number || streams[waiting].waits_for(earlier) {
        return Ok(false);
    }
    let (event, number) = streams[other].event_behind(api, earlier.number)?;
    // SAFETY: both are of this context.
    match unsafe { (api.wait_event.call)(streams[waiting].raw, event, 0) } {
        Status::SUCCESS => {
            streams[waiting].will_wait_for(earlier.stream, number);
            Ok(true)
        }
        status => Err(status),
    }
}
