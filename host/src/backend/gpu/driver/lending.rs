//! Streams, and uses of memory, that are handed to another library, or taken from it.

use std::any::Any;
use std::ptr::NonNull;

use super::handles::{Address, StreamHandle};
use super::memory::address;
use super::sharing::Sharing;
use super::stream::Stream;
use super::{Driver, Lent, Vendor};
use crate::submission::{StreamId, Ticket};
use crate::{Error, Priority};

impl<V: Vendor> Driver<V> {
    pub(crate) fn vendor(&self) -> &V {
        &self.vendor
    }

    /// Whether memory is freed in the order of streams.
    pub(crate) fn has_pool(&self) -> bool {
        self.traits.pool.is_some()
    }

    /// The other library's type for a stream, always the same one.
    pub(crate) fn lend_stream<L: Lent + Clone>(
        &self,
        stream: StreamId,
        make: impl FnOnce(StreamHandle) -> L,
    ) -> Result<L, Error> {
        let state = &mut *self.begin()?;
        let Stream { raw, sharing, .. } = state.stream_mut(stream);
        if let Sharing::Lent(known) | Sharing::Foreign(Some(known)) = sharing
            && let Some(known) = (&**known as &dyn Any).downcast_ref::<L>()
        {
            return Ok(known.clone());
        }
        let made = make(*raw);
        let shared = Box::new(made.clone());
        *sharing = if sharing.is_foreign() { Sharing::Foreign(Some(shared)) } else { Sharing::Lent(shared) };
        Ok(made)
    }

    /// The driver's handle of a stream.
    pub(crate) fn stream_handle(&self, stream: StreamId) -> StreamHandle {
        self.lock().stream(stream).raw
    }

    /// A number for a stream that isn't ours.
    ///
    /// # Safety
    /// It is a stream of this device, and stays until it is closed; all threads mean the same one by it.
    pub(crate) unsafe fn adopt(
        &self,
        raw: StreamHandle,
        owner: Option<Box<dyn Lent>>,
    ) -> Result<StreamId, Error> {
        let state = &mut *self.begin()?;
        let sharing = Sharing::Foreign(owner);
        // The place of one that has done all its work: those who wait for that find it done.
        let is_free = |place: &u32| {
            let stream = state.stream(StreamId(*place));
            stream.sharing.is_retired().then_some(stream.submitted)
        };
        let places = 0..state.streams.len() as u32;
        let retired: Vec<_> = places.filter_map(|place| Some((place, is_free(&place)?))).collect();
        for (place, number) in retired {
            if state.is_done(self.api(), Ticket { stream: place, number }) == Ok(true) {
                state.stream_mut(StreamId(place)).replace(raw, sharing);
                return Ok(StreamId(place));
            }
        }
        state.streams.push(Stream::new(raw, Priority::NORMAL, sharing));
        Ok(StreamId(state.streams.len() as u32 - 1))
    }

    /// The address of memory, as the driver has it.
    pub(crate) fn driver_address(pointer: NonNull<u8>) -> Address {
        address(pointer)
    }
}
