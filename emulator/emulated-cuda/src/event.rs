//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;
use std::sync::Mutex;

use crate::abi::Out;
use crate::context::{current, ending};
use crate::error::Error;
use crate::process::process;
use crate::recorded::{DISABLE_TIMING, Event, INTERPROCESS, elapsed, find, record};
use crate::registry::Handle;
use crate::shared_event::SharedEvent;

driver! {
    fn cuEventCreate(event: Out<Handle>, flags: c_uint) {
        let context = current()?;
        let known = flags & !7 == 0 && (flags & INTERPROCESS == 0 || flags & DISABLE_TIMING != 0);
        if event.is_null() || !known {
            return Err(Error::INVALID_VALUE);
        }
        let shared = (flags & INTERPROCESS != 0).then(SharedEvent::new).transpose()?;
        let (record, captured) = (Mutex::default(), Mutex::default());
        event.put(process()?.events.insert(Event { context, flags, shared, record, captured }))
    }

    fn cuEventDestroy_v2(event: Handle) {
        ending()?.events.remove(event).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn cuEventRecord[ptsz](event: Handle, stream: Handle) {
        record(event, stream, false)
    }

    /// In a capture, an external record is a node of its graph.
    fn cuEventRecordWithFlags[ptsz](event: Handle, stream: Handle, flags: c_uint) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        record(event, stream, flags != 0)
    }

    /// An event that wasn't recorded is complete.
    fn cuEventQuery(event: Handle) {
        let event = find(event)?;
        event.refuse_captured()?;
        let is_reached = event.is_reached();
        event.context.check()?;
        if is_reached { Ok(()) } else { Err(Error::NOT_READY) }
    }

    fn cuEventSynchronize(event: Handle) {
        let event = find(event)?;
        event.refuse_captured()?;
        event.wait()?;
        event.context.check()
    }

    /// Host time between the two: it says nothing of a GPU.
    fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed(start, end)?)
    }

    fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed(start, end)?)
    }
}
