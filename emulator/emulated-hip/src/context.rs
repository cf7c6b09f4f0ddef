//! What a device is to the program: its streams, and the error that stays. HIP's contexts are its devices.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ffi::{c_int, c_uint};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use crate::abi::Out;
use crate::error::Error;
use crate::fault::Fault;
use crate::locks::lock;
use crate::process::{Process, process};
use crate::queue::{Point, Queue};
use crate::registry::{Handle, Registry};
use crate::stream::{Kind, Stream};

pub(crate) struct Context {
    pub(crate) handle: Handle,
    pub(crate) device: usize,
    /// The error that each call answers.
    pub(crate) fault: Fault,
    default: Mutex<Option<Arc<Stream>>>,
    of_threads: Mutex<HashMap<ThreadId, Arc<Stream>>>,
    queues: Mutex<Vec<Member>>,
    /// Devices whose memory its kernels reach.
    pub(crate) peers: Mutex<HashSet<usize>>,
}

struct Member {
    queue: Arc<Queue>,
    /// Whether the stream and the default stream wait for each other.
    is_blocking: bool,
}

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
    /// This thread runs a host function, which may not call the runtime.
    static IS_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

impl Context {
    pub(crate) fn create(device: usize, contexts: &Registry<&'static Self>) -> &'static Self {
        let (_, context) = contexts.insert_with(|handle| {
            &*Box::leak(Box::new(Self {
                handle,
                device,
                fault: Fault::default(),
                default: Mutex::default(),
                of_threads: Mutex::default(),
                queues: Mutex::default(),
                peers: Mutex::default(),
            }))
        });
        *context
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// # Errors
    /// The one that stays.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.fault.check()
    }

    /// The default stream.
    pub(crate) fn default_stream(&'static self, process: &Process) -> Arc<Stream> {
        let mut default = lock(&self.default);
        let make = || Arc::new(Stream::new(process, self, Handle(1), Kind::Default, 0));
        Arc::clone(default.get_or_insert_with(make))
    }

    /// The default stream of this thread.
    pub(crate) fn of_thread(&'static self, process: &Process) -> Arc<Stream> {
        let mut streams = lock(&self.of_threads);
        let stream = streams.entry(thread::current().id());
        let make = || Arc::new(Stream::new(process, self, Handle(2), Kind::Blocking, 0));
        Arc::clone(stream.or_insert_with(make))
    }

    pub(crate) fn add_queue(&self, queue: &Arc<Queue>, is_blocking: bool) {
        let mut queues = lock(&self.queues);
        queues.retain(|member| !(member.queue.is_idle() && member.queue.is_closed()));
        queues.push(Member { queue: Arc::clone(queue), is_blocking });
    }

    /// The ends of its streams that aren't idle: of all, or of those that the default stream waits for.
    pub(crate) fn ends(&self, only_blocking: bool) -> Vec<Point> {
        let queues = lock(&self.queues);
        let busy = queues.iter().filter(|member| !member.queue.is_idle());
        busy.filter(|member| member.is_blocking || !only_blocking).map(|member| member.queue.end()).collect()
    }

    /// Waits for all streams.
    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        self.ends(false).iter().for_each(Point::wait);
        self.check()
    }

    /// Ends everything that it has, also the error.
    fn reset(&'static self, process: &Process) {
        for stream in process.streams.remove_all(|stream| stream.context.is(self)) {
            stream.close();
        }
        self.ends(false).iter().for_each(Point::wait);
        process.events.remove_all(|event| event.context.is(self));
        process.functions.remove_all(|function| function.context.is(self));
        process.modules.remove_all(|module| module.context.is(self));
        process.allocations.free_all(process, self);
        lock(&self.peers).clear();
        process.gpus[self.device].executor.end();
        self.fault.replace(None);
    }
}

/// The current device, whatever its state.
fn selected() -> Result<&'static Context, Error> {
    let process = process()?;
    if IS_CALLBACK.get() {
        return Err(Error::NOT_SUPPORTED);
    }
    process.gpus.get(CURRENT.get()).map(|gpu| gpu.context).ok_or(Error::NO_DEVICE)
}

/// The current device.
///
/// # Errors
/// Where there is none, or an error stays.
pub(crate) fn current() -> Result<&'static Context, Error> {
    let context = selected()?;
    context.check()?;
    Ok(context)
}

/// Runs a callback of the program, in which the runtime may not be called.
pub(crate) fn forbidding_calls(callback: impl FnOnce()) {
    IS_CALLBACK.set(true);
    callback();
    IS_CALLBACK.set(false);
}

/// The context of a handle.
///
/// # Errors
/// For what isn't one.
fn find(handle: Handle) -> Result<&'static Context, Error> {
    process()?.contexts.get(handle).map(|context| *context).ok_or(Error::INVALID_CONTEXT)
}

fn select(context: &Context) -> Result<(), Error> {
    selected()?;
    CURRENT.set(context.device);
    Ok(())
}

hip! {
    fn hipSetDevice(device: c_int) {
        let context = process()?.gpu(device)?.context;
        select(context)
    }

    fn hipGetDevice(device: Out<c_int>) {
        device.put(selected()?.device as c_int)
    }

    fn hipDeviceSynchronize() {
        current()?.synchronize()
    }

    /// Ends all that the current device has, and the error that stays.
    fn hipDeviceReset() {
        selected()?.reset(process()?);
        Ok(())
    }

    /// Lower numbers are more urgent. Priorities have no effect.
    fn hipDeviceGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        current()?;
        least.put_if_asked(crate::stream::LEAST_PRIORITY);
        greatest.put_if_asked(crate::stream::GREATEST_PRIORITY);
        Ok(())
    }

    fn hipDevicePrimaryCtxRetain(context: Out<Handle>, device: c_int) {
        context.put(process()?.gpu(device)?.context.handle)
    }

    /// A device stays as it is.
    fn hipDevicePrimaryCtxRelease(device: c_int) {
        process()?.gpu(device).map(|_| ())
    }

    fn hipCtxGetCurrent(context: Out<Handle>) {
        context.put(selected()?.handle)
    }

    fn hipCtxSetCurrent(context: Handle) {
        select(find(context)?)
    }

    fn hipCtxGetDevice(device: Out<c_int>) {
        device.put(selected()?.device as c_int)
    }

    fn hipCtxSynchronize() {
        current()?.synchronize()
    }

    /// Ways to wait, which change nothing.
    fn hipSetDeviceFlags(flags: c_uint) {
        current()?;
        if flags & !0x1f != 0 { Err(Error::INVALID_VALUE) } else { Ok(()) }
    }
}
