//! Contexts: what a program uses a device through. Each has its streams, and the error that stays.

use std::collections::{HashMap, HashSet};
use std::ffi::c_int;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::ThreadId;

use crate::error::Error;
use crate::fault::Fault;
use crate::locks::lock;
use crate::queue::{Point, Queue};
use crate::registry::Handle;
use crate::stream::Stream;

/// An API: what contexts and streams have of it.
pub trait Vendor: Copy + 'static {
    /// What a context has besides.
    type OfContext: Send + Sync;
    /// What a stream has besides.
    type OfStream: Default + Send + Sync;

    /// Of streams. Lower numbers are more urgent.
    const LEAST_PRIORITY: c_int;
    const GREATEST_PRIORITY: c_int;

    /// # Errors
    /// Where the API can't be used in this process.
    fn check() -> Result<(), Error>;

    /// The context that the calling thread uses.
    ///
    /// # Errors
    /// Where there is none, or an error stays.
    fn current() -> Result<&'static Context<Self>, Error>;

    /// The longest delay of an operation, in microseconds.
    fn delay() -> u64;

    /// Called behind each wait for a stream or a context.
    fn synchronized(context: &'static Context<Self>);
}

/// Contexts are few and never freed, so that anything may refer to them.
pub struct Context<V: Vendor> {
    pub handle: Handle,
    pub device: usize,
    /// The error that each call answers.
    pub fault: Fault,
    pub(crate) legacy: OnceLock<Arc<Stream<V>>>,
    pub(crate) of_threads: Mutex<HashMap<ThreadId, Arc<Stream<V>>>>,
    /// Of all its streams.
    queues: Mutex<Vec<Member>>,
    /// Contexts or devices whose memory it may reach.
    pub peers: Mutex<HashSet<usize>>,
    pub own: V::OfContext,
}

struct Member {
    queue: Arc<Queue>,
    /// Whether the stream and the default stream wait for each other.
    is_blocking: bool,
}

impl<V: Vendor> Context<V> {
    /// Makes one that stays for ever.
    pub fn leak(handle: Handle, device: usize, own: V::OfContext) -> &'static Self {
        Box::leak(Box::new(Self {
            handle,
            device,
            fault: Fault::default(),
            legacy: OnceLock::new(),
            of_threads: Mutex::default(),
            queues: Mutex::default(),
            peers: Mutex::default(),
            own,
        }))
    }

    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// A number that no other context has.
    pub fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// # Errors
    /// The one that stays.
    pub fn check(&self) -> Result<(), Error> {
        self.fault.check()
    }

    pub(crate) fn add_queue(&self, queue: &Arc<Queue>, is_blocking: bool) {
        let mut queues = lock(&self.queues);
        queues.retain(|member| !(member.queue.is_idle() && member.queue.is_closed()));
        queues.push(Member { queue: Arc::clone(queue), is_blocking });
    }

    /// The ends of its streams that aren't idle: of all, or of those that the default stream waits for.
    pub fn ends(&self, only_blocking: bool) -> Vec<Point> {
        let queues = lock(&self.queues);
        let busy = queues.iter().filter(|member| !member.queue.is_idle());
        busy.filter(|member| member.is_blocking || !only_blocking).map(|member| member.queue.end()).collect()
    }

    /// Waits for all streams.
    ///
    /// # Errors
    /// The one that stays.
    pub fn synchronize(&'static self) -> Result<(), Error> {
        crate::capture::refuse_waiting(self.number())?;
        self.ends(false).iter().for_each(Point::wait);
        V::synchronized(self);
        self.check()
    }

    /// Ends the threads of all streams once they have done what they were given.
    pub fn close_queues(&self) {
        lock(&self.queues).iter().for_each(|member| member.queue.close());
    }
}
