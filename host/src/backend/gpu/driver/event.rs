//! The driver's events: made once, used again and again.

use std::time::Duration;

use super::handles::EventHandle;
use super::{Api, Status};

/// The flags of events, for all drivers.
const TIMED: u32 = 0;
const UNTIMED: u32 = 2;

/// An event of the driver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event(pub(super) EventHandle);

// SAFETY: an event may be used by any thread that has its context current.
unsafe impl Send for Event {}

impl Event {
    /// An event that orders streams, and has no time.
    pub(super) fn untimed(api: &Api) -> Result<Self, Status> {
        Self::create(api, UNTIMED)
    }

    pub(super) fn timed(api: &Api) -> Result<Self, Status> {
        Self::create(api, TIMED)
    }

    fn create(api: &Api, flags: u32) -> Result<Self, Status> {
        let mut event = std::ptr::null_mut();
        // SAFETY: the context is current, as it is for all that makes events; an event to write.
        match unsafe { (api.create_event.call)(&raw mut event, flags) } {
            Status::SUCCESS => Ok(Self(event)),
            status => Err(status),
        }
    }

    /// The time from one event to another, zero if the other was reached first. Both are reached.
    pub(super) fn elapsed(api: &Api, from: Self, to: Self) -> Result<Duration, Status> {
        let mut milliseconds = 0.0;
        // SAFETY: both were made with times, and recorded.
        match unsafe { (api.elapsed.call)(&raw mut milliseconds, from.0, to.0) } {
            Status::SUCCESS => {
                Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
            }
            status => Err(status),
        }
    }

    /// Destroys the event. Nobody uses it any more, but for streams that were told to wait for it.
    pub(super) fn destroy(self, api: &Api) {
        // There is nobody to tell.
        // SAFETY: made above, and the last use; the driver keeps what streams wait for.
        let _ = unsafe { (api.destroy_event.call)(self.0) };
    }
}
