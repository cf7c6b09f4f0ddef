//! Streams.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use crate::abi::Out;
use crate::context::{Context, current, forbidding_calls};
use crate::error::Error;
use crate::process::{Process, process};
use crate::queue::{Point, Queue, Work};
use crate::registry::Handle;

pub(crate) const LEAST_PRIORITY: c_int = 1;
pub(crate) const GREATEST_PRIORITY: c_int = -1;

const NON_BLOCKING: c_uint = 1;

/// How a stream and the default stream of its device wait for each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The default stream: it waits for all blocking streams, and they wait for it.
    Default,
    Blocking,
    NonBlocking,
}

pub(crate) struct Stream {
    handle: Handle,
    pub(crate) context: &'static Context,
    kind: Kind,
    priority: c_int,
    queue: Arc<Queue>,
}

impl Stream {
    pub(crate) fn new(
        process: &Process,
        context: &'static Context,
        handle: Handle,
        kind: Kind,
        priority: c_int,
    ) -> Self {
        let queue = Queue::new(process.new_id(), process.settings.delay);
        context.add_queue(&queue, kind == Kind::Blocking);
        Self { handle, context, kind, priority, queue }
    }

    pub(crate) fn submit(&self, work: Work) -> Result<Point, Error> {
        self.submit_after(Vec::new(), work)
    }

    /// Adds an operation, which also waits for points in other streams.
    pub(crate) fn submit_after(&self, mut after: Vec<Point>, work: Work) -> Result<Point, Error> {
        match self.kind {
            Kind::Default => after.extend(self.context.ends(true)),
            Kind::Blocking => {
                let default = &self.context.default_stream(process()?).queue;
                if !default.is_idle() {
                    after.push(default.end());
                }
            }
            Kind::NonBlocking => {}
        }
        self.queue.push(&self.context.fault, after, work)
    }

    /// Waits for what was submitted. The default stream waits for all blocking ones.
    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        self.ends().iter().for_each(Point::wait);
        self.context.check()
    }

    fn ends(&self) -> Vec<Point> {
        let mut ends = if self.kind == Kind::Default { self.context.ends(true) } else { Vec::new() };
        ends.push(self.queue.end());
        ends
    }

    fn is_idle(&self) -> bool {
        self.ends().iter().all(Point::is_reached)
    }

    pub(crate) fn close(&self) {
        self.queue.close();
    }
}

/// The stream of a handle: also the current device's default stream, for null and 1, and this thread's, for 2.
///
/// # Errors
/// If an error stays in the current device or in the stream's, or there is no such stream.
pub(crate) fn find(handle: Handle) -> Result<Arc<Stream>, Error> {
    let context = current()?;
    let process = process()?;
    let stream = match handle.0 {
        0 | 1 => context.default_stream(process),
        2 => context.of_thread(process),
        _ => process.streams.get(handle).ok_or(Error::INVALID_HANDLE)?,
    };
    stream.context.check()?;
    Ok(stream)
}

fn create(stream: Out<Handle>, flags: c_uint, priority: c_int) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    if stream.is_null() || flags & !NON_BLOCKING != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let kind = if flags & NON_BLOCKING != 0 { Kind::NonBlocking } else { Kind::Blocking };
    let priority = priority.clamp(GREATEST_PRIORITY, LEAST_PRIORITY);
    let make = |handle| Stream::new(process, context, handle, kind, priority);
    stream.put(process.streams.insert_with(make).0)
}

pub(crate) type HostFunction = Option<unsafe extern "C" fn(*mut c_void)>;
type Callback = Option<unsafe extern "C" fn(*mut c_void, c_int, *mut c_void)>;

/// A caller's pointer that is only handed back to it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct UserData(*mut c_void);

// SAFETY: nothing here looks behind it; whoever gives it to a stream expects it back on another thread.
unsafe impl Send for UserData {}
// SAFETY: threads that share it only copy the pointer; nothing here looks behind it.
unsafe impl Sync for UserData {}

impl UserData {
    pub(crate) fn pointer(self) -> *mut c_void {
        self.0
    }
}

hip! {
    fn hipStreamCreate(stream: Out<Handle>) {
        create(stream, 0, 0)
    }

    fn hipStreamCreateWithFlags(stream: Out<Handle>, flags: c_uint) {
        create(stream, flags, 0)
    }

    /// Priorities are kept and have no effect.
    fn hipStreamCreateWithPriority(stream: Out<Handle>, flags: c_uint, priority: c_int) {
        create(stream, flags, priority)
    }

    /// What was submitted still runs.
    fn hipStreamDestroy(stream: Handle) {
        current()?;
        process()?.streams.remove(stream).ok_or(Error::INVALID_HANDLE)?.close();
        Ok(())
    }

    fn hipStreamSynchronize(stream: Handle) {
        find(stream)?.synchronize()
    }

    fn hipStreamQuery(stream: Handle) {
        let stream = find(stream)?;
        let is_idle = stream.is_idle();
        stream.context.check()?;
        if is_idle { Ok(()) } else { Err(Error::NOT_READY) }
    }

    /// Nothing, for an event that wasn't recorded.
    fn hipStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint) {
        let stream = find(stream)?;
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        let event = process()?.events.get(event).ok_or(Error::INVALID_HANDLE)?;
        if let Some(point) = event.point() && !point.is_reached() {
            stream.submit_after(vec![point], Work::run(|| Ok(())))?;
        }
        Ok(())
    }

    fn hipStreamGetDevice(stream: Handle, device: Out<c_int>) since (5, 6) {
        device.put(find(stream)?.context.device as c_int)
    }

    fn hipStreamGetPriority(stream: Handle, priority: Out<c_int>) {
        priority.put(find(stream)?.priority)
    }

    fn hipStreamGetFlags(stream: Handle, flags: Out<c_uint>) {
        flags.put(if find(stream)?.kind == Kind::NonBlocking { NON_BLOCKING } else { 0 })
    }

    /// Never: there is no capture.
    fn hipStreamIsCapturing(stream: Handle, status: Out<c_int>) {
        find(stream)?;
        status.put(0)
    }

    /// The function isn't called once the device has failed.
    fn hipLaunchHostFunc(stream: Handle, function: HostFunction, data: UserData) {
        let stream = find(stream)?;
        let function = function.ok_or(Error::INVALID_VALUE)?;
        stream.submit(Work::run(move || {
            // SAFETY: the caller gave the function to be called once with this pointer, from any thread.
            forbidding_calls(|| unsafe { function(data.pointer()) });
            Ok(())
        }))?;
        Ok(())
    }

    /// The callback is told of an error that stays.
    fn hipStreamAddCallback(stream: Handle, callback: Callback, data: UserData, flags: c_uint) {
        let stream = find(stream)?;
        let callback = callback.filter(|_| flags == 0).ok_or(Error::INVALID_VALUE)?;
        let handle = stream.handle;
        stream.submit(Work::Always(Box::new(move |failure| {
            let status = failure.map_or(0, Error::code);
            let stream = handle.0 as *mut c_void;
            // SAFETY: the caller gave the function to be called once with this pointer, from any thread.
            forbidding_calls(|| unsafe { callback(stream, status, data.pointer()) });
        })))?;
        Ok(())
    }
}
