//! Other devices of the driver: copies between them, and launches that reach their memory.
//!
//! Who uses a device's memory is known to that device alone. So a stream that uses another's memory waits for events behind
//! its uses there; and there a stream follows, which waits for an event behind the work and is its user in the lists. Each
//! device's lock is taken by itself: between the two nobody else can submit anything that the work would have to wait for,
//! since it has the memory borrowed, and replays of graphs, which borrow nothing, are kept away by the peer's turn.

use super::api::PoolAccess;
use super::event::Event;
use super::handles::StreamHandle;
use super::memory::address;
use super::status::done;
use super::{Driver, Status, Vendor, of_driver};
use crate::backend::{Backend, Launches, PeerUse, Peers};
use crate::submission::{Access, Direction, Home, Kind, Launch, Place, StreamId, Ticket};
use crate::{Error, Priority};

impl<V: Vendor> Peers for Driver<V> {
    unsafe fn copy_with_peer(
        &self,
        stream: StreamId,
        peer: &dyn Backend,
        direction: Direction,
        from: Place,
        to: Place,
        bytes: usize,
    ) -> Result<bool, Error> {
        let Some(peer) = of_driver::<V>(peer) else { return Ok(false) };
        let read = Access { memory: from.memory, kind: Kind::Read };
        let written = Access { memory: to.memory, kind: Kind::Write };
        let (own, of_peer, source, target) = match direction {
            Direction::ToPeer => (read, written, self, peer),
            Direction::FromPeer => (written, read, peer, self),
        };
        self.wait_for_peer(stream, peer, of_peer)?;
        let is_unified = from.home != Home::Device || to.home != Home::Device;
        let (to, from) = (address(to.pointer), address(from.pointer));
        let copied = self.submit(stream, &[own], |api, stream| {
            // SAFETY: the caller says that `from` has as many bytes, that `to` has room for them, and that the two don't overlap.
            // The stream waits for the other uses of both, both are freed behind this one, and the devices are open.
            let (call, status) = unsafe {
                if source.vendor.is_same(&target.vendor) && !is_unified {
                    (api.copy_on_device.name, (api.copy_on_device.call)(to, from, bytes, stream))
                } else {
                    let (to, from) = ((&target.vendor, to), (&source.vendor, from));
                    self.vendor.copy_to_peer(to, from, is_unified, bytes, stream)
                }
            };
            done(call, status)
        });
        // Also after an error: a part of the work may have been taken.
        let followed = peer.follow(self, stream, of_peer);
        copied.and(followed).map(|()| true)
    }

    fn can_access_peer(&self, peer: &dyn Backend) -> Result<bool, Error> {
        let Some(peer) = of_driver::<V>(peer) else { return Ok(false) };
        if self.vendor.is_same(&peer.vendor) {
            return Ok(true);
        }
        let mut can = 0;
        let call = self.api().can_access_peer;
        // SAFETY: devices of the driver; a number to write.
        let status = unsafe { (call.call)(&raw mut can, self.vendor.device(), peer.vendor.device()) };
        self.checked(call.name, status)?;
        Ok(can == 1)
    }

    fn enable_peer_access(&self, peer: &dyn Backend) -> Result<(), Error> {
        let Some(peer) = of_driver::<V>(peer) else { return Ok(()) };
        if self.vendor.is_same(&peer.vendor) {
            return Ok(());
        }
        drop(self.begin()?);
        match self.vendor.reach(&peer.vendor) {
            Ok(()) | Err((_, Status::PEER_ACCESS_ALREADY_ENABLED)) => {}
            Err((_, status)) if V::is_out_of_reach(status) => {
                return Err(self.out_of_reach(peer, self.text(status)));
            }
            Err((call, status)) => return Err(self.error(call, status)),
        }
        // That is for memory that isn't of a pool; a pool is opened by itself.
        let Some(pool) = &peer.traits.pool else { return Ok(()) };
        let Some(open) = self.api().set_pool_access else {
            return Err(self.out_of_reach(peer, "the driver has no call that opens a pool of memory".into()));
        };
        let access = PoolAccess {
            kind: PoolAccess::OF_DEVICE,
            device: self.vendor.device(),
            flags: PoolAccess::READ_AND_WRITE,
        };
        // SAFETY: the peer's own pool; one description.
        self.checked(open.name, unsafe { (open.call)(pool.pool, &raw const access, 1) })
    }

    unsafe fn launch_with_peers(
        &self,
        stream: StreamId,
        launch: &Launch<'_>,
        peers: &[PeerUse<'_>],
    ) -> Result<(), Error> {
        let peers =
            || peers.iter().filter_map(|&PeerUse { peer, access }| Some((of_driver::<V>(peer)?, access)));
        peers().try_for_each(|(peer, access)| self.wait_for_peer(stream, peer, access))?;
        // SAFETY: the caller says that the kernel, its arguments and this device's memory are as `launch` asks, and that access to
        // the peers' memory is enabled, whose other uses the stream waits for.
        unsafe { self.launch(stream, launch) }?;
        // Each of them, also after an error.
        peers().map(|(peer, access)| peer.follow(self, stream, access)).fold(Ok(()), Result::and)
    }
}

impl<V: Vendor> Driver<V> {
    /// Has a stream wait for the uses of a peer's memory that come before a new one.
    fn wait_for_peer(&self, stream: StreamId, peer: &Self, access: Access) -> Result<(), Error> {
        let raw = self.begin()?.stream(stream).raw;
        let events = peer.events_before(access, raw)?;
        let state = self.begin()?;
        events.into_iter().try_for_each(|event| {
            // It may have been recorded anew in the meantime, behind later work: then this waits for that.
            // SAFETY: the stream is of this context; the event's device is there as long as its memory is.
            let status = unsafe { (self.api().wait_event.call)(raw, event.0, 0) };
            self.check(&state, self.api().wait_event.name, status)
        })
    }

    /// Events behind the uses of memory that a use by another device's stream waits for.
    fn events_before(&self, access: Access, leader: StreamHandle) -> Result<Vec<Event>, Error> {
        let state = &mut *self.begin()?;
        let follower = state.follower(leader.expose_provenance());
        let uses = state.uses_before(access.memory, access.kind);
        // What it did itself it has behind it.
        let uses: Vec<_> = uses.filter(|ticket| Some(StreamId(ticket.stream)) != follower).collect();
        if !uses.is_empty() {
            state.uses(access.memory).met();
        }
        let event = |ticket: Ticket| {
            let behind = state.stream_mut(StreamId(ticket.stream)).event_behind(self.api(), ticket.number);
            behind.map(|(event, _)| Event(event))
        };
        let events: Result<Vec<_>, _> = uses.into_iter().map(event).collect();
        events.map_err(|status| self.error_in(state, self.api().record_event.name, status))
    }

    /// Has later uses of this device's memory wait for what another's stream was given so far.
    fn follow(&self, leader: &Self, stream: StreamId, access: Access) -> Result<(), Error> {
        let marked = leader.mark_end(stream);
        let followed = marked.and_then(|(event, raw)| self.follow_to(event, raw, access));
        if followed.is_err() && leader.enter().is_ok() {
            // Nobody will wait for the work, so that it has to be done now. An error means that it is.
            let raw = leader.lock().stream(stream).raw;
            // SAFETY: streams are destroyed when the device is closed.
            let _ = unsafe { (leader.api().synchronize_stream.call)(raw) };
        }
        followed
    }

    /// An event behind what a stream was given so far.
    fn mark_end(&self, stream: StreamId) -> Result<(Event, StreamHandle), Error> {
        let state = &mut *self.begin()?;
        let raw = state.stream(stream).raw;
        let event = state.stream_mut(stream).mark(self.api());
        let event = event.map_err(|status| self.error_in(state, self.api().record_event.name, status))?;
        Ok((event, raw))
    }

    /// Adds a use of memory that is over when an event of another device's stream is reached.
    fn follow_to(&self, event: Event, leader: StreamHandle, access: Access) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        let leader = leader.expose_provenance();
        let follower = match state.follower(leader) {
            Some(follower) => follower,
            None => {
                let created = state.create_stream(self.api(), Priority::NORMAL);
                let follower =
                    created.map_err(|status| self.error_in(state, self.api().create_stream.name, status))?;
                state.stream_mut(follower).follows = Some(leader);
                follower
            }
        };
        // SAFETY: the stream is of this context. The event's device is closed by nobody who has it submit work.
        let status = unsafe { (self.api().wait_event.call)(state.stream(follower).raw, event.0, 0) };
        self.check(state, self.api().wait_event.name, status)?;
        let ticket = Ticket { stream: follower.0, number: state.stream_mut(follower).submit(None) };
        state.add_uses(self.api(), &[access], ticket);
        Ok(())
    }

    #[cold]
    fn out_of_reach(&self, peer: &Self, reason: String) -> Error {
        Error::PeerAccess { device: self.name.clone(), peer: peer.name.clone(), reason }
    }
}
