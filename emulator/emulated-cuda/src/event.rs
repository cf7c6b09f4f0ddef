//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;

use crate::abi::Out;
use crate::context::{Cuda, current, ending};
use crate::error::Error;
use crate::registry::{Handle, Registry};
use crate::shared::event::{self, DISABLE_TIMING, Events, INTERPROCESS, elapsed, find, record, recordable};
use crate::shared::graph::{self, OfEvent, Task};
use crate::shared::shared_event::SharedEvent;

pub(crate) type Event = event::Event<Cuda>;

pub(crate) static EVENTS: Registry<Event> = Registry::new(5);

impl Events for Cuda {
    fn events() -> &'static Registry<Event> {
        &EVENTS
    }
}

driver! {
    fn cuEventCreate(event: Out<Handle>, flags: c_uint) {
        let context = current()?;
        let known = flags & !7 == 0 && (flags & INTERPROCESS == 0 || flags & DISABLE_TIMING != 0);
        if event.is_null() || !known {
            return Err(Error::INVALID_VALUE);
        }
        let shared = (flags & INTERPROCESS != 0).then(SharedEvent::new).transpose()?;
        event.put(EVENTS.insert(Event::new(context, flags, shared)))
    }

    fn cuEventDestroy_v2(event: Handle) {
        ending()?;
        EVENTS.remove(event).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn cuEventRecord[ptsz](event: Handle, stream: Handle) {
        record::<Cuda>(event, stream)
    }

    /// In a capture, an external record is a node of its graph.
    fn cuEventRecordWithFlags[ptsz](event: Handle, stream: Handle, flags: c_uint) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        let (event_of, stream) = recordable::<Cuda>(event, stream)?;
        match stream.captured().filter(|_| flags != 0) {
            Some(capture) => graph::capture(&capture, &stream, Task::Record(OfEvent::new(event)?)),
            None => event_of.record(&stream),
        }
    }

    /// An event that wasn't recorded is complete.
    fn cuEventQuery(event: Handle) {
        find::<Cuda>(event)?.query()
    }

    fn cuEventSynchronize(event: Handle) {
        find::<Cuda>(event)?.wait()
    }

    /// Host time between the two: it says nothing of a GPU.
    fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed::<Cuda>(start, end)?)
    }

    fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed::<Cuda>(start, end)?)
    }
}
