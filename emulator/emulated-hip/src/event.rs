//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;
use std::sync::Mutex;

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::process::process;
use crate::recorded::{Event, elapsed, find, record};
use crate::registry::Handle;

const INTERPROCESS: c_uint = 4;
/// To the device, to the system: one of them.
const RELEASES: c_uint = 0xc000_0000;
/// Those, ways to wait, and no fence of the system.
const FLAGS: c_uint = 7 | 0x2000_0000 | RELEASES;

fn create(event: Out<Handle>, flags: c_uint) -> Result<(), Error> {
    let context = current()?;
    if event.is_null() || flags & !FLAGS != 0 || flags & RELEASES == RELEASES {
        return Err(Error::INVALID_VALUE);
    }
    if flags & INTERPROCESS != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    event.put(process()?.events.insert(Event { context, flags, record: Mutex::default() }))
}

hip! {
    fn hipEventCreate(event: Out<Handle>) {
        create(event, 0)
    }

    fn hipEventCreateWithFlags(event: Out<Handle>, flags: c_uint) {
        create(event, flags)
    }

    fn hipEventDestroy(event: Handle) {
        current()?;
        process()?.events.remove(event).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn hipEventRecord(event: Handle, stream: Handle) {
        record(event, stream)
    }

    fn hipEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint) since (6, 3) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        record(event, stream)
    }

    /// An event that wasn't recorded is complete.
    fn hipEventQuery(event: Handle) {
        let event = find(event)?;
        let is_reached = event.point().is_none_or(|point| point.is_reached());
        event.context.check()?;
        if is_reached { Ok(()) } else { Err(Error::NOT_READY) }
    }

    fn hipEventSynchronize(event: Handle) {
        let event = find(event)?;
        if let Some(point) = event.point() {
            point.wait();
        }
        event.context.check()
    }

    /// Host time between the two: it says nothing of a GPU.
    fn hipEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed(start, end)?)
    }
}
