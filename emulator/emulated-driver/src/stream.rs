//! Streams.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;
use std::thread;

use crate::abi::Out;
use crate::callback::{Callback, UserData, forbidding_calls};
use crate::capture::{self, Capture, Mode, Part};
use crate::context::{Context, Vendor};
use crate::error::Error;
use crate::ids;
use crate::locks::lock;
use crate::queue::{Point, Queue, Work};
use crate::registry::{Handle, Registry};

const NON_BLOCKING: c_uint = 1;

/// How a stream and the default stream of its context wait for each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The default stream: it waits for all blocking streams, and they wait for it.
    Legacy,
    Blocking,
    NonBlocking,
}

pub struct Stream<V: Vendor> {
    pub handle: Handle,
    pub context: &'static Context<V>,
    kind: Kind,
    pub priority: c_int,
    pub id: u64,
    pub own: V::OfStream,
    part: Arc<Part>,
    queue: Arc<Queue>,
}

/// An API with streams.
pub trait Streams: Vendor {
    fn streams() -> &'static Registry<Stream<Self>>;

    /// Whether a null stream is the thread's own in the call that runs.
    fn has_own_default() -> bool {
        false
    }
}

impl<V: Vendor> Context<V> {
    /// The default stream.
    fn legacy(&'static self) -> &'static Arc<Stream<V>> {
        self.legacy.get_or_init(|| Arc::new(Stream::new(self, Handle(1), Kind::Legacy, 0)))
    }

    /// The default stream of this thread.
    fn of_thread(&'static self) -> Arc<Stream<V>> {
        let mut streams = lock(&self.of_threads);
        let stream = streams.entry(thread::current().id());
        Arc::clone(stream.or_insert_with(|| Arc::new(Stream::new(self, Handle(2), Kind::Blocking, 0))))
    }
}

impl<V: Vendor> Stream<V> {
    fn new(context: &'static Context<V>, handle: Handle, kind: Kind, priority: c_int) -> Self {
        let id = ids::next();
        let queue = Queue::new(id, V::delay());
        context.add_queue(&queue, kind == Kind::Blocking);
        Self { handle, context, kind, priority, id, own: V::OfStream::default(), part: Arc::default(), queue }
    }

    pub fn submit(&self, work: Work) -> Result<Point, Error> {
        self.submit_after(Vec::new(), work)
    }

    /// Adds an operation, which also waits for points in other streams.
    ///
    /// # Errors
    /// While the stream is captured: what can be a node was made one.
    pub fn submit_after(&self, mut after: Vec<Point>, work: Work) -> Result<Point, Error> {
        self.refuse_captured()?;
        match self.kind {
            Kind::Legacy => after.extend(self.context.ends(true)),
            Kind::Blocking => {
                let legacy = &self.context.legacy().queue;
                if !legacy.is_idle() {
                    after.push(legacy.end());
                }
            }
            Kind::NonBlocking => {}
        }
        self.queue.push(&self.context.fault, after, work)
    }

    /// The capture that it takes part in.
    pub fn captured(&self) -> Option<Arc<Capture>> {
        lock(&self.part).clone()
    }

    fn refuse_captured(&self) -> Result<(), Error> {
        if self.kind == Kind::Legacy {
            return capture::refuse_default(self.context.number());
        }
        self.captured().map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)))
    }

    /// Begins a capture into a graph.
    pub fn capture(&self, mode: Mode, make_graph: impl FnOnce() -> Handle) -> Result<(), Error> {
        if self.kind == Kind::Legacy {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        Capture::begin(&self.part, (self.context.number(), self.id), mode, make_graph)
    }

    /// Takes part in a capture behind some of its nodes.
    pub(crate) fn join(&self, capture: &Arc<Capture>, after: &[Handle]) -> Result<(), Error> {
        capture.join(&self.part, self.id, after)
    }

    /// Waits for what was submitted. The default stream waits for all blocking ones.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.refuse_captured()?;
        self.ends().iter().for_each(Point::wait);
        V::synchronized(self.context);
        self.context.check()
    }

    fn ends(&self) -> Vec<Point> {
        let mut ends = if self.kind == Kind::Legacy { self.context.ends(true) } else { Vec::new() };
        ends.push(self.queue.end());
        ends
    }

    /// Nothing, if all that was submitted is done.
    pub fn query(&self) -> Result<(), Error> {
        self.refuse_captured()?;
        let is_idle = self.ends().iter().all(Point::is_reached);
        self.context.check()?;
        if is_idle { Ok(()) } else { Err(Error::NOT_READY) }
    }

    pub fn flags(&self) -> c_uint {
        if self.kind == Kind::NonBlocking { NON_BLOCKING } else { 0 }
    }

    /// What was submitted still runs.
    pub fn close(&self) {
        self.queue.close();
    }
}

/// The stream of a handle: also the default stream, for null and 1, and this thread's, for 2.
///
/// # Errors
/// If there is no context, an error stays in it or in the stream's, or there is no such stream.
pub fn find<V: Streams>(handle: Handle) -> Result<Arc<Stream<V>>, Error> {
    let context = V::current()?;
    let stream = match handle.0 {
        0 if V::has_own_default() => context.of_thread(),
        0 | 1 => Arc::clone(context.legacy()),
        2 => context.of_thread(),
        _ => V::streams().get(handle).ok_or(Error::INVALID_HANDLE)?,
    };
    stream.context.check()?;
    Ok(stream)
}

/// Priorities are kept and have no effect.
pub fn create<V: Streams>(stream: Out<Handle>, flags: c_uint, priority: c_int) -> Result<(), Error> {
    let context = V::current()?;
    if stream.is_null() || flags & !NON_BLOCKING != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let kind = if flags & NON_BLOCKING != 0 { Kind::NonBlocking } else { Kind::Blocking };
    let priority = priority.clamp(V::GREATEST_PRIORITY, V::LEAST_PRIORITY);
    stream.put(V::streams().insert_with(|handle| Stream::new(context, handle, kind, priority)).0)
}

/// Says between which priorities streams' are.
pub fn priorities<V: Vendor>(least: Out<c_int>, greatest: Out<c_int>) -> Result<(), Error> {
    V::current()?;
    least.put_if_asked(V::LEAST_PRIORITY);
    greatest.put_if_asked(V::GREATEST_PRIORITY);
    Ok(())
}

/// Ends the streams of a context.
pub fn close_all<V: Streams>(context: &Context<V>) {
    for stream in V::streams().remove_all(|stream| stream.context.is(context)) {
        stream.close();
    }
}

/// Managed memory is the host's own here: any stream may use it.
pub fn attach_memory<V: Streams>(stream: Handle, flags: c_uint) -> Result<(), Error> {
    find::<V>(stream)?;
    if matches!(flags, 1 | 2 | 4) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// The callback is told of an error that stays.
pub fn add_callback<V: Streams>(
    stream: Handle,
    callback: Callback,
    data: UserData,
    flags: c_uint,
) -> Result<(), Error> {
    let stream = find::<V>(stream)?;
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
