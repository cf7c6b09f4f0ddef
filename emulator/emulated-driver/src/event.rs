//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use crate::capture::Capture;
use crate::context::Context;
use crate::error::Error;
use crate::locks::lock;
use crate::queue::{Point, Work};
use crate::registry::{Handle, Registry};
use crate::shared_event::SharedEvent;
use crate::stream::{self, Stream, Streams};

pub const DISABLE_TIMING: c_uint = 2;
pub const INTERPROCESS: c_uint = 4;

/// An API with events.
pub trait Events: Streams {
    fn events() -> &'static Registry<Event<Self>>;
}

pub struct Event<V: Events> {
    pub context: &'static Context<V>,
    flags: c_uint,
    /// Of an event that other processes have too: its records in the place of `record`.
    pub shared: Option<SharedEvent>,
    /// The last one.
    record: Mutex<Option<Record>>,
    /// The capture that it was recorded in last, and the nodes before it.
    captured: Mutex<Option<(Arc<Capture>, Vec<Handle>)>>,
}

#[derive(Clone)]
struct Record {
    point: Point,
    time: Arc<OnceLock<Instant>>,
}

impl<V: Events> Event<V> {
    pub fn new(context: &'static Context<V>, flags: c_uint, shared: Option<SharedEvent>) -> Self {
        Self { context, flags, shared, record: Mutex::default(), captured: Mutex::default() }
    }

    /// Where it was recorded last.
    pub fn point(&self) -> Option<Point> {
        lock(&self.record).as_ref().map(|record| record.point.clone())
    }

    /// Whether the last record was reached, or there is none.
    fn is_reached(&self) -> bool {
        match &self.shared {
            Some(shared) => shared.is_reached(shared.last()),
            None => self.point().is_none_or(|point| point.is_reached()),
        }
    }

    /// An event that wasn't recorded is complete.
    pub fn query(&self) -> Result<(), Error> {
        self.refuse_captured()?;
        let is_reached = self.is_reached();
        self.context.check()?;
        if is_reached { Ok(()) } else { Err(Error::NOT_READY) }
    }

    /// Waits for the last record.
    pub fn wait(&self) -> Result<(), Error> {
        self.refuse_captured()?;
        if let Some(shared) = &self.shared {
            shared.wait(shared.last())?;
        } else if let Some(point) = self.point() {
            point.wait();
        }
        self.context.check()
    }

    /// Says where it was recorded last, and where the time will be at which that was reached.
    pub(crate) fn set_record(&self, point: Point, time: Arc<OnceLock<Instant>>) {
        lock(&self.captured).take();
        *lock(&self.record) = Some(Record { point, time });
    }

    /// Records it behind what a stream has been given. In a capture, says what comes before.
    pub fn record(&self, stream: &Stream<V>) -> Result<(), Error> {
        if let Some(capture) = stream.captured() {
            let before = capture.ends_of(stream.id)?;
            *lock(&self.captured) = Some((capture, before));
            return Ok(());
        }
        if let Some(shared) = self.shared.clone() {
            let number = shared.record();
            // Also when the context has failed: other processes wait for it.
            stream.submit(Work::Always(Box::new(move |_| shared.reach(number))))?;
            lock(&self.captured).take();
            return Ok(());
        }
        let time = Arc::new(OnceLock::new());
        let reached = Arc::clone(&time);
        let point = stream.submit(Work::run(move || {
            reached.get_or_init(Instant::now);
            Ok(())
        }))?;
        self.set_record(point, time);
        Ok(())
    }

    /// Makes a stream wait for the last record. Nothing, for an event that wasn't recorded.
    pub fn hold(&self, stream: &Stream<V>) -> Result<(), Error> {
        if let Some((capture, after)) = self.captured() {
            return stream.join(&capture, &after);
        }
        if let Some(capture) = stream.captured() {
            return Err(capture.refuse(Error::STREAM_CAPTURE_ISOLATION));
        }
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
    pub fn captured(&self) -> Option<(Arc<Capture>, Vec<Handle>)> {
        lock(&self.captured).clone()
    }

    /// # Errors
    /// Where it was recorded as a part of a capture: nothing will reach it.
    fn refuse_captured(&self) -> Result<(), Error> {
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
pub fn find<V: Events>(handle: Handle) -> Result<Arc<Event<V>>, Error> {
    V::current()?;
    V::events().get(handle).ok_or(Error::INVALID_HANDLE)
}

type Recordable<V> = (Arc<Event<V>>, Arc<Stream<V>>);

/// An event, and a stream that it can be recorded in.
pub fn recordable<V: Events>(event: Handle, stream: Handle) -> Result<Recordable<V>, Error> {
    let (event, stream) = (find::<V>(event)?, stream::find::<V>(stream)?);
    if event.context.is(stream.context) { Ok((event, stream)) } else { Err(Error::INVALID_HANDLE) }
}

/// Records an event behind what a stream has been given.
pub fn record<V: Events>(event: Handle, stream: Handle) -> Result<(), Error> {
    let (event, stream) = recordable::<V>(event, stream)?;
    event.record(&stream)
}

/// In milliseconds.
pub fn elapsed<V: Events>(start: Handle, end: Handle) -> Result<f32, Error> {
    let (start, end) = (find::<V>(start)?.time()?, find::<V>(end)?.time()?);
    let (sign, duration) = match end.checked_duration_since(start) {
        Some(duration) => (1.0, duration),
        None => (-1.0, start.duration_since(end)),
    };
    Ok(sign * duration.as_secs_f32() * 1e3)
}
