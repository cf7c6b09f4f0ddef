use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use crate::submission::{Access, HostCall, Mark, StreamId};
use crate::{Error, Priority};

/// Streams, marks in them, and what waits for what.
pub(crate) trait Streams {
    /// Opens a stream of one of these priorities, which is the caller's own until it is closed.
    fn open_stream(&self, priority: Priority) -> Result<StreamId, Error>;

    /// Lets another `open_stream` have the stream. What it was given to do is done all the same.
    fn close_stream(&self, stream: StreamId);

    /// Marks the point that a stream has reached.
    fn record(&self, stream: StreamId) -> Result<Mark, Error>;

    /// Has a stream wait for what work on this memory comes after, so that a mark that is made now is directly before the work.
    fn wait_for_earlier(&self, _stream: StreamId, _accesses: &[Access]) -> Result<(), Error> {
        Ok(())
    }

    /// Lets a stream go on only once the mark is reached.
    fn wait(&self, stream: StreamId, mark: &Mark) -> Result<(), Error>;

    /// The time between two marks, zero if the second was reached first. Waits for both.
    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error>;

    /// Takes back a mark that nobody asks for any more.
    fn forget(&self, mark: &Mark);

    /// Calls a function of the program after the stream's work so far, and after what its uses of memory come behind.
    fn call_host(&self, stream: StreamId, call: Arc<HostCall>, accesses: &[Access]) -> Result<(), Error>;

    /// Calls a function that uses this memory of the device, which the caller has borrowed and graphs may use too, once the
    /// stream's work and earlier uses of the memory are done. Of a device with [workers](super::Information::workers).
    fn call_in_turn(&self, _: StreamId, _: &[Access], is_shared: bool, call: &mut dyn FnMut()) {
        debug_assert!(!is_shared, "a device with workers keeps replays away");
        call();
    }

    /// The driver's handle of a stream; none where there is no driver.
    fn driver_stream(&self, _stream: StreamId) -> Option<*mut c_void> {
        None
    }

    /// Notes that memory was used by what somebody else gave to a stream up to now.
    fn note_uses(&self, _stream: StreamId, _accesses: &[Access]) {}

    /// Waits for a stream's work, hands printed lines on, and returns the first kernel panic of any stream since the last
    /// call, once.
    fn synchronize(&self, stream: StreamId) -> Result<(), Error>;
}
