//! Events: points in streams, and when they were reached.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use crate::abi::Out;
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::process::process;
use crate::queue::{Point, Work};
use crate::registry::Handle;
use crate::stream;

const DISABLE_TIMING: c_uint = 2;
const INTERPROCESS: c_uint = 4;
/// To the device, to the system: one of them.
const RELEASES: c_uint = 0xc000_0000;
/// Those, ways to wait, and no fence of the system.
const FLAGS: c_uint = 7 | 0x2000_0000 | RELEASES;

pub(crate) struct Event {
    pub(crate) context: &'static Context,
    flags: c_uint,
    /// The last one.
    record: Mutex<Option<Record>>,
}

#[derive(Clone)]
struct Record {
    point: Point,
    time: Arc<OnceLock<Instant>>,
}

impl Event {
    /// Where it was recorded last.
    pub(crate) fn point(&self) -> Option<Point> {
        lock(&self.record).as_ref().map(|record| record.point.clone())
    }

    fn time(&self) -> Result<Instant, Error> {
        if self.flags & DISABLE_TIMING != 0 {
            return Err(Error::INVALID_HANDLE);
        }
        let record = lock(&self.record).clone().ok_or(Error::INVALID_HANDLE)?;
        record.time.get().copied().ok_or(Error::NOT_READY)
    }
}

fn find(handle: Handle) -> Result<Arc<Event>, Error> {
    current()?;
    process()?.events.get(handle).ok_or(Error::INVALID_HANDLE)
}

fn record(event: Handle, stream: Handle) -> Result<(), Error> {
    let event = find(event)?;
    let stream = stream::find(stream)?;
    if !event.context.is(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    let time = Arc::new(OnceLock::new());
    let reached = Arc::clone(&time);
    let point = stream.submit(Work::run(move || {
        reached.get_or_init(Instant::now);
        Ok(())
    }))?;
    *lock(&event.record) = Some(Record { point, time });
    Ok(())
}

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

/// In milliseconds.
fn elapsed(start: Handle, end: Handle) -> Result<f32, Error> {
    let (start, end) = (find(start)?.time()?, find(end)?.time()?);
    let (sign, duration) = match end.checked_duration_since(start) {
        Some(duration) => (1.0, duration),
        None => (-1.0, start.duration_since(end)),
    };
    Ok(sign * duration.as_secs_f32() * 1e3)
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
