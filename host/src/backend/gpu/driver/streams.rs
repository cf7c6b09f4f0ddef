//! Streams of the driver, marks in them, and functions of the program in their order.

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use super::event::Event;
use super::{Driver, Status, Vendor};
use crate::backend::Streams;
use crate::submission::{Access, HostCall, Mark, StreamId, Ticket};
use crate::{Error, Priority};

/// The driver's event of a mark.
fn event(mark: &Mark) -> Option<Event> {
    match mark {
        Mark::Event(address) => Some(Event(std::ptr::with_exposed_provenance_mut(*address))),
        Mark::Reached(_) | Mark::Queued(..) => None,
    }
}

impl<V: Vendor> Streams for Driver<V> {
    fn open_stream(&self, priority: Priority) -> Result<StreamId, Error> {
        let state = &mut *self.begin()?;
        // One that has nothing to do, and that nobody else has, so that the new one waits for nobody.
        let is_free = |id: &StreamId| {
            let stream = state.stream(*id);
            let may_be = stream.priority == priority && !stream.sharing.is_lent();
            // SAFETY: streams are destroyed when the device is closed.
            may_be && unsafe { (self.api().query_stream.call)(stream.raw) } == Status::SUCCESS
        };
        if let Some(place) = state.closed.iter().position(is_free) {
            return Ok(state.closed.swap_remove(place));
        }
        state
            .create_stream(self.api(), priority)
            .map_err(|status| self.error_in(state, self.api().create_stream.name, status))
    }

    fn close_stream(&self, stream: StreamId) {
        let mut state = self.lock();
        if state.stream(stream).sharing.is_foreign() {
            drop(state);
            return self.retire_stream(stream);
        }
        state.closed.push(stream);
    }

    fn record(&self, stream: StreamId) -> Result<Mark, Error> {
        let state = &mut *self.begin()?;
        let event = match state.events.pop() {
            Some(event) => event,
            None => Event::timed(self.api())
                .map_err(|status| self.error_in(state, self.api().create_event.name, status))?,
        };
        // SAFETY: both are of this context.
        let status = unsafe { (self.api().record_event.call)(event.0, state.stream(stream).raw) };
        if status != Status::SUCCESS {
            state.events.push(event);
            return Err(self.error_in(state, self.api().record_event.name, status));
        }
        Ok(Mark::Event(event.0.expose_provenance()))
    }

    fn wait_for_earlier(&self, stream: StreamId, accesses: &[Access]) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        for &access in accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        Ok(())
    }

    fn wait(&self, stream: StreamId, mark: &Mark) -> Result<(), Error> {
        let Some(event) = event(mark) else { return Ok(()) };
        let state = self.begin()?;
        // SAFETY: both are of this context.
        let status = unsafe { (self.api().wait_event.call)(state.stream(stream).raw, event.0, 0) };
        self.check(&state, self.api().wait_event.name, status)
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        let (Some(from), Some(to)) = (event(from), event(to)) else { return Ok(Duration::ZERO) };
        drop(self.begin()?);
        for event in [from, to] {
            // SAFETY: recorded when it was made a mark.
            self.checked(self.api().synchronize_event.name, unsafe {
                (self.api().synchronize_event.call)(event.0)
            })?;
        }
        Event::elapsed(self.api(), from, to).map_err(|status| self.error(self.api().elapsed.name, status))
    }

    fn forget(&self, mark: &Mark) {
        if let Some(event) = event(mark) {
            self.lock().events.push(event);
        }
    }

    /// Gives a stream a function of the program.
    fn call_host(&self, stream: StreamId, call: Arc<HostCall>, accesses: &[Access]) -> Result<(), Error> {
        /// # Safety
        /// `call` is of `Arc::into_raw`, for this one call.
        unsafe extern "C" fn run_once(call: *mut c_void) {
            // SAFETY: what the driver was given.
            unsafe { Arc::from_raw(call.cast::<HostCall>()) }.run_once();
        }
        let Some(launch) = self.api().launch_host else {
            return Err(Error::Backend {
                device: self.name.clone(),
                call: "Stream::host",
                message: "this driver can't call functions of the program; install a newer one".into(),
            });
        };
        let call = Arc::into_raw(call).cast_mut().cast::<c_void>();
        let given = self.submit(stream, accesses, |_, stream| {
            // SAFETY: the function takes what it is given, once.
            match unsafe { (launch.call)(stream, Some(run_once), call) } {
                Status::SUCCESS => Ok(()),
                status => Err((launch.name, status)),
            }
        });
        if given.is_err() {
            // SAFETY: made above, and nobody calls it.
            drop(unsafe { Arc::from_raw(call.cast::<HostCall>().cast_const()) });
        }
        given.map(|_| ())
    }

    fn driver_stream(&self, stream: StreamId) -> Option<*mut c_void> {
        Some(self.lock().stream(stream).raw.cast())
    }

    fn note_uses(&self, stream: StreamId, accesses: &[Access]) {
        // Where the device can't be entered nothing runs, and whoever comes next fails.
        let _ = self.enter();
        let state = &mut *self.lock();
        // Meanwhile other parts of the memory may have been used. Who waits for this use from here on, waits for those.
        if accesses.iter().any(|&access| state.wait_for_uses(self.api(), stream, access).is_err()) {
            // SAFETY: the device is entered.
            let _ = unsafe { (self.api().synchronize_context.call)() };
        }
        let number = state.stream_mut(stream).submit(None);
        state.add_uses(self.api(), accesses, Ticket { stream: stream.0, number });
    }

    fn synchronize(&self, stream: StreamId) -> Result<(), Error> {
        let state = self.begin()?;
        let (raw, submitted) = (state.stream(stream).raw, state.stream(stream).submitted);
        drop(state);
        self.wait_for_stream(stream, raw, submitted)?;
        self.report()
    }
}
