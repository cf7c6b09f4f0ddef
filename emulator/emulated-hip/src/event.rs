//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;

use crate::abi::Out;
use crate::context::{Hip, current};
use crate::error::Error;
use crate::registry::{Handle, Registry};
use crate::shared::event::{self, Events, INTERPROCESS, elapsed, find, record};

pub(crate) type Event = event::Event<Hip>;

pub(crate) static EVENTS: Registry<Event> = Registry::new(5);

impl Events for Hip {
    fn events() -> &'static Registry<Event> {
        &EVENTS
    }
}

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
    event.put(EVENTS.insert(Event::new(context, flags, None)))
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
        EVENTS.remove(event).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn hipEventRecord(event: Handle, stream: Handle) {
        record::<Hip>(event, stream)
    }

    fn hipEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint) since (6, 3) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        record::<Hip>(event, stream)
    }

    /// An event that wasn't recorded is complete.
    fn hipEventQuery(event: Handle) {
        find::<Hip>(event)?.query()
    }

    fn hipEventSynchronize(event: Handle) {
        find::<Hip>(event)?.wait()
    }

    /// Host time between the two: it says nothing of a GPU.
    fn hipEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.put(elapsed::<Hip>(start, end)?)
    }
}
