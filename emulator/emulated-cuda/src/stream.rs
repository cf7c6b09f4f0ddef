//! Streams.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Arc, Mutex};

use crate::abi::Out;
use crate::capture::{self, Capture};
use crate::context::{self, Context, current, forbidding_calls};
use crate::error::Error;
use crate::graph_nodes::{OfEvent, Task};
use crate::locks::lock;
use crate::process::{Process, process};
use crate::queue::{Point, Queue, Work};
use crate::registry::Handle;
use crate::stream_attributes;

pub(crate) const LEAST_PRIORITY: c_int = 0;
pub(crate) const GREATEST_PRIORITY: c_int = -5;

const NON_BLOCKING: c_uint = 1;
/// Of a wait for an event: one that isn't of the capture.
const EXTERNAL: c_uint = 1;

/// How a stream and the default stream of its context wait for each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The default stream: it waits for all blocking streams, and they wait for it.
    Legacy,
    Blocking,
    NonBlocking,
}

pub(crate) struct Stream {
    pub(crate) handle: Handle,
    pub(crate) context: &'static Context,
    kind: Kind,
    priority: c_int,
    id: u64,
    pub(crate) attributes: Mutex<BTreeMap<c_int, stream_attributes::Value>>,
    /// The one that it takes part in.
    pub(crate) capture: Mutex<Option<Arc<Capture>>>,
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
        let id = process.new_id();
        let queue = Queue::new(id, process.settings.delay);
        context.add_queue(&queue, kind == Kind::Blocking);
        Self {
            handle,
            context,
            kind,
            priority,
            id,
            attributes: Mutex::default(),
            capture: Mutex::default(),
            queue,
        }
    }

    pub(crate) fn submit(&self, work: Work) -> Result<Point, Error> {
        self.submit_after(Vec::new(), work)
    }

    /// Adds an operation, which also waits for points in other streams.
    ///
    /// # Errors
    /// While the stream is captured: what can be a node was made one.
    pub(crate) fn submit_after(&self, mut after: Vec<Point>, work: Work) -> Result<Point, Error> {
        self.refuse_captured()?;
        match self.kind {
            Kind::Legacy => after.extend(self.context.ends(true)),
            Kind::Blocking => {
                let legacy = &self.context.legacy(process()?).queue;
                if !legacy.is_idle() {
                    after.push(legacy.end());
                }
            }
            Kind::NonBlocking => {}
        }
        self.queue.push(&self.context.fault, after, work)
    }

    /// The capture that it takes part in.
    pub(crate) fn captured(&self) -> Option<Arc<Capture>> {
        lock(&self.capture).clone()
    }

    fn refuse_captured(&self) -> Result<(), Error> {
        if self.kind == Kind::Legacy {
            return capture::refuse_default(self.context);
        }
        self.captured().map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)))
    }

    /// Waits for what was submitted. The default stream waits for all blocking ones.
    pub(crate) fn synchronize(&self, process: &Process) -> Result<(), Error> {
        self.refuse_captured()?;
        self.ends().iter().for_each(Point::wait);
        process.gpus[self.context.device].trim_pools(process);
        self.context.check()
    }

    fn ends(&self) -> Vec<Point> {
        let mut ends = if self.kind == Kind::Legacy { self.context.ends(true) } else { Vec::new() };
        ends.push(self.queue.end());
        ends
    }

    fn is_idle(&self) -> bool {
        self.ends().iter().all(Point::is_reached)
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn is_legacy(&self) -> bool {
        self.kind == Kind::Legacy
    }

    pub(crate) fn priority(&self) -> c_int {
        self.priority
    }

    pub(crate) fn close(&self) {
        self.queue.close();
    }
}

/// The stream of a handle: also the default stream, for null and 1, and this thread's, for 2.
///
/// # Errors
/// If there is no context, an error stays in it or in the stream's, or there is no such stream.
pub(crate) fn find(handle: Handle) -> Result<Arc<Stream>, Error> {
    let context = current()?;
    let process = process()?;
    let stream = match handle.0 {
        0 if context::has_own_default() => context.of_thread(process),
        0 | 1 => Arc::clone(context.legacy(process)),
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

fn host_function(stream: Handle, function: HostFunction, data: UserData) -> Result<(), Error> {
    let stream = find(stream)?;
    let function = function.ok_or(Error::INVALID_VALUE)?;
    if let Some(capture) = stream.captured() {
        return capture.add(&stream, Task::Host { function, data });
    }
    stream.submit(Work::run(move || {
        // SAFETY: the caller gave the function to be called once with this pointer, from any thread.
        forbidding_calls(|| unsafe { function(data.pointer()) });
        Ok(())
    }))?;
    Ok(())
}

driver! {
    fn cuStreamCreate(stream: Out<Handle>, flags: c_uint) {
        create(stream, flags, 0)
    }

    /// Priorities are kept and have no effect.
    fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: c_uint, priority: c_int) {
        create(stream, flags, priority)
    }

    /// What was submitted still runs.
    fn cuStreamDestroy_v2(stream: Handle) {
        context::ending()?.streams.remove(stream).ok_or(Error::INVALID_HANDLE)?.close();
        Ok(())
    }

    fn cuStreamSynchronize[ptsz](stream: Handle) {
        find(stream)?.synchronize(process()?)
    }

    fn cuStreamQuery[ptsz](stream: Handle) {
        let stream = find(stream)?;
        stream.refuse_captured()?;
        let is_idle = stream.is_idle();
        stream.context.check()?;
        if is_idle { Ok(()) } else { Err(Error::NOT_READY) }
    }

    /// Nothing, for an event that wasn't recorded. In a capture, a wait for an external record is a node of its graph.
    fn cuStreamWaitEvent[ptsz](stream: Handle, event: Handle, flags: c_uint) {
        let stream = find(stream)?;
        if flags > EXTERNAL {
            return Err(Error::INVALID_VALUE);
        }
        if let Some(capture) = stream.captured().filter(|_| flags == EXTERNAL) {
            return capture.add(&stream, Task::Wait(OfEvent::new(event)?));
        }
        let event = process()?.events.get(event).ok_or(Error::INVALID_HANDLE)?;
        if let Some((capture, after)) = event.captured() {
            return capture.join(&stream, &after);
        }
        if let Some(capture) = stream.captured() {
            return Err(capture.refuse(Error::STREAM_CAPTURE_ISOLATION));
        }
        event.hold(&stream)
    }

    fn cuStreamGetCtx[ptsz](stream: Handle, context: Out<Handle>) {
        context.put(find(stream)?.context.handle)
    }

    fn cuStreamGetDevice[ptsz](stream: Handle, device: Out<c_int>) {
        device.put(find(stream)?.context.device as c_int)
    }

    fn cuStreamGetPriority[ptsz](stream: Handle, priority: Out<c_int>) {
        priority.put(find(stream)?.priority)
    }

    fn cuStreamGetFlags[ptsz](stream: Handle, flags: Out<c_uint>) {
        flags.put(if find(stream)?.kind == Kind::NonBlocking { NON_BLOCKING } else { 0 })
    }

    fn cuStreamGetId[ptsz](stream: Handle, id: Out<u64>) {
        id.put(find(stream)?.id)
    }

    /// Managed memory is the host's own here: any stream may use it.
    fn cuStreamAttachMemAsync[ptsz](stream: Handle, _address: u64, _length: usize, flags: c_uint) {
        find(stream)?;
        if matches!(flags, 1 | 2 | 4) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    /// The function isn't called once the context has failed.
    fn cuLaunchHostFunc[ptsz](stream: Handle, function: HostFunction, data: UserData) {
        host_function(stream, function, data)
    }

    /// Ways to wait for the function are taken, and change nothing.
    fn cuLaunchHostFunc_v2[ptsz](stream: Handle, function: HostFunction, data: UserData, way: c_uint) {
        if way > 2 {
            return Err(Error::INVALID_VALUE);
        }
        host_function(stream, function, data)
    }

    /// The callback is told of an error that stays.
    fn cuStreamAddCallback[ptsz](stream: Handle, callback: Callback, data: UserData, flags: c_uint) {
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
