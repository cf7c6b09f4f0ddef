//! Events, and when the points that they were recorded at were reached.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use crate::capture::Capture;
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::process::process;
use crate::queue::{Point, Work};
use crate::registry::Handle;
use crate::stream;

pub(crate) const DISABLE_TIMING: c_uint = 2;

pub(crate) struct Event {
    pub(crate) context: &'static Context,
    pub(crate) flags: c_uint,
    /// The last one.
    pub(crate) record: Mutex<Option<Record>>,
    /// The capture that it was recorded in last, and the nodes before it.
    pub(crate) captured: Mutex<Option<(Arc<Capture>, Vec<Handle>)>>,
}

#[derive(Clone)]
pub(crate) struct Record {
    point: Point,
    time: Arc<OnceLock<Instant>>,
}

impl Event {
    /// Where it was recorded last.
    pub(crate) fn point(&self) -> Option<Point> {
        lock(&self.record).as_ref().map(|record| record.point.clone())
    }

    /// Where it was recorded in a stream that was captured then.
    pub(crate) fn captured(&self) -> Option<(Arc<Capture>, Vec<Handle>)> {
        lock(&self.captured).clone()
    }

    /// # Errors
    /// Where it was recorded as a part of a capture: nothing will reach it.
    pub(crate) fn refuse_captured(&self) -> Result<(), Error> {
        match self.captured() {
            Some((capture, _)) => Err(capture.refuse(Error::CAPTURED_EVENT)),
            None => Ok(()),
        }
    }

    fn time(&self) -> Result<Instant, Error> {
        if self.flags & DISABLE_TIMING != 0 {
            return Err(Error::INVALID_HANDLE);
        }
        self.refuse_captured()?;
        let record = lock(&self.record).clone().ok_or(Error::INVALID_HANDLE)?;
        record.time.get().copied().ok_or(Error::NOT_READY)
    }
}

/// The event of a handle.
pub(crate) fn find(handle: Handle) -> Result<Arc<Event>, Error> {
    current()?;
    process()?.events.get(handle).ok_or(Error::INVALID_HANDLE)
}

/// Records it behind what a stream has been given.
pub(crate) fn record(event: Handle, stream: Handle) -> Result<(), Error> {
    let event = find(event)?;
    let stream = stream::find(stream)?;
    if !event.context.is(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    if let Some(capture) = stream.captured() {
        let before = capture.ends_of(&stream)?;
        *lock(&event.captured) = Some((capture, before));
        return Ok(());
    }
    let time = Arc::new(OnceLock::new());
    let reached = Arc::clone(&time);
    let point = stream.submit(Work::run(move || {
        reached.get_or_init(Instant::now);
        Ok(())
    }))?;
    lock(&event.captured).take();
    *lock(&event.record) = Some(Record { point, time });
    Ok(())
}

/// In milliseconds.
pub(crate) fn elapsed(start: Handle, end: Handle) -> Result<f32, Error> {
    let (start, end) = (find(start)?.time()?, find(end)?.time()?);
    let (sign, duration) = match end.checked_duration_since(start) {
        Some(duration) => (1.0, duration),
        None => (-1.0, start.duration_since(end)),
    };
    Ok(sign * duration.as_secs_f32() * 1e3)
}
