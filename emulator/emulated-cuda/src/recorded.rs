//! Events, and when the points that they were recorded at were reached.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use crate::capture::Capture;
use crate::context::{Context, current};
use crate::error::Error;
use crate::graph_nodes::{OfEvent, Task};
use crate::locks::lock;
use crate::process::process;
use crate::queue::{Point, Work};
use crate::registry::Handle;
use crate::shared_event::SharedEvent;
use crate::stream::{self, Stream};

pub(crate) const DISABLE_TIMING: c_uint = 2;
pub(crate) const INTERPROCESS: c_uint = 4;

pub(crate) struct Event {
    pub(crate) context: &'static Context,
    pub(crate) flags: c_uint,
    /// Of an event that other processes have too: its records in the place of `record`.
    pub(crate) shared: Option<SharedEvent>,
    /// The last one.
    pub(crate) record: Mutex<Option<Record>>,
    /// The capture that it was recorded in last, and the nodes before it.
    pub(crate) captured: Mutex<Option<(Arc<Capture>, Vec<Handle>)>>,
}

#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) point: Point,
    pub(crate) time: Arc<OnceLock<Instant>>,
}

impl Event {
    /// Where it was recorded last.
    pub(crate) fn point(&self) -> Option<Point> {
        lock(&self.record).as_ref().map(|record| record.point.clone())
    }

    /// Whether the last record was reached, or there is none.
    pub(crate) fn is_reached(&self) -> bool {
        match &self.shared {
            Some(shared) => shared.is_reached(shared.last()),
            None => self.point().is_none_or(|point| point.is_reached()),
        }
    }

    /// Waits for the last record.
    pub(crate) fn wait(&self) -> Result<(), Error> {
        if let Some(shared) = &self.shared {
            return shared.wait(shared.last());
        }
        if let Some(point) = self.point() {
            point.wait();
        }
        Ok(())
    }

    pub(crate) fn set_record(&self, record: Record) {
        lock(&self.captured).take();
        *lock(&self.record) = Some(record);
    }

    /// Makes a stream wait for the last record.
    pub(crate) fn hold(&self, stream: &Stream) -> Result<(), Error> {
        if let Some(shared) = self.shared.clone() {
            let last = shared.last();
            if !shared.is_reached(last) {
                stream.submit(Work::run(move || shared.wait(last)))?;
            }
        } else if let Some(point) = self.point()
            && !point.is_reached()
        {
            stream.submit_after(vec![point], Work::run(|| Ok(())))?;
        }
        Ok(())
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

/// Records it behind what a stream has been given. In a capture, one for uses outside of it is a node, and another says only
/// what comes before.
pub(crate) fn record(handle: Handle, stream: Handle, is_external: bool) -> Result<(), Error> {
    let event = find(handle)?;
    let stream = stream::find(stream)?;
    if !event.context.is(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    if let Some(capture) = stream.captured() {
        if is_external {
            return capture.add(&stream, Task::Record(OfEvent::new(handle)?));
        }
        let before = capture.ends_of(&stream)?;
        *lock(&event.captured) = Some((capture, before));
        return Ok(());
    }
    if let Some(shared) = event.shared.clone() {
        let number = shared.record();
        // Also when the context has failed: other processes wait for it.
        stream.submit(Work::Always(Box::new(move |_| shared.reach(number))))?;
        lock(&event.captured).take();
        return Ok(());
    }
    let time = Arc::new(OnceLock::new());
    let reached = Arc::clone(&time);
    let point = stream.submit(Work::run(move || {
        reached.get_or_init(Instant::now);
        Ok(())
    }))?;
    event.set_record(Record { point, time });
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
