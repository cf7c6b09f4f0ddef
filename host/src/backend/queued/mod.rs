//! The queue of devices that are an [`Engine`], which does what it is told at once: streams are lines of work. Where other threads may do
//! that work, it goes on when the call that submits it has returned; elsewhere all is done when the call returns.
//!
//! | file | what it holds |
//! |---|---|
//! | `engine` | what a device is asked for |
//! | `immediate`, `failure` | what is done at once, and what failed of it |
//! | `queue` | the lines, and who does their work: a thread that is called, or who waits for it |
//! | `state` | what changes, behind one lock |
//! | `memory`, `streams`, `launches` | the backend's traits |
//!
//! - **At once** is done what takes little, where it waits for nothing: on the calling thread, with no lock and no allocation. All else is
//!   in a line. What is done with borrowed memory of the host is done by the call, which waits.
//! - **The order** is that of tickets, as on GPUs: work waits for the [uses](super::uses) of its memory before it on other streams.
//! - **A borrow** of memory ends when the call returns, and so do not the uses: whoever reads, writes or frees memory waits for them, or is in a line
//!   behind them. Who borrows memory knows of all uses before, so that one look at the number of pieces that aren't done is enough.
//! - **Memory that graphs have too** isn't borrowed: what is done with it at once holds `shared`, and what gives it to a line takes it
//!   meanwhile.

mod engine;
mod failure;
mod immediate;
mod launches;
mod memory;
mod queue;
mod state;
mod streams;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gridwright_core::{HeapUsage, Limits};
use gridwright_cpu::{Workers, is_in_kernel};

use super::{Backend, Information, Output, Printed};
use crate::submission::{Access, Attribute, Kind, MemoryId, Place, StreamId, Ticket};
use crate::{DeviceInfo, DeviceKind, Error};
#[cfg(feature = "emulator")]
pub(super) use engine::TextureEngine;
pub(super) use engine::{Engine, Ran};
use immediate::Immediate;
use queue::Queue;
use state::Job;

/// The most picoseconds of one thread that a call takes for work that it does itself. Another thread that is called begins after 10 to 50 µs,
/// and has to be where the workers are: of launches that take less, it would be a good part.
const SHORT: u64 = 1_000_000_000;

/// Picoseconds in which a byte is copied or written, roughly.
const OF_A_BYTE: u64 = 125;

/// An engine with a queue around it, which is all that the host sees.
#[derive(Debug)]
pub(crate) struct Queued<E> {
    queue: Arc<Queue<E>>,
    /// Whether other threads may do the work.
    hands_over: bool,
    next_memory: AtomicU64,
    /// A lock that is held while memory is used at once that graphs use too, and while a line is given such work.
    shared: Mutex<()>,
}

impl<E: Engine> Queued<E> {
    pub(super) fn new(engine: E, hands_over: bool) -> Self {
        let queue = Arc::new(Queue::new(Immediate::new(engine)));
        Self { queue, hands_over, next_memory: AtomicU64::new(0), shared: Mutex::default() }
    }

    #[inline]
    fn now(&self) -> &Immediate<E> {
        &self.queue.now
    }

    fn engine(&self) -> &E {
        &self.queue.now.engine
    }

    fn turn(&self, is_shared: bool) -> Option<MutexGuard<'_, ()>> {
        is_shared.then(|| self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A number for memory, or for a graph, that no other has had: what is dropped takes the uses of its number away.
    fn number(&self) -> u64 {
        self.next_memory.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether work on a stream that uses this memory is done by this call: it is short, and waits for nothing.
    #[inline]
    fn is_for_now(&self, stream: StreamId, accesses: &[Access], is_short: impl FnOnce() -> bool) -> bool {
        // What a kernel launches on the CPU runs in it.
        (!self.hands_over || is_short() || is_in_kernel()) && self.queue.is_free(stream, accesses)
    }

    /// Does work with so many bytes that is short and waits for nothing, or gives it to the stream's line.
    fn submit(
        &self,
        stream: StreamId,
        places: &[(Place, Kind)],
        bytes: usize,
        work: impl FnOnce(&Immediate<E>) -> Result<(), Error> + Send + 'static,
    ) -> Result<Option<Ticket>, Error> {
        let mut accesses = [Access { memory: MemoryId::NONE, kind: Kind::Read }; 2];
        for (access, &(place, kind)) in accesses.iter_mut().zip(places) {
            *access = Access { memory: place.memory, kind };
        }
        let accesses = accesses.get(..places.len()).unwrap_or(&accesses);
        let _turn = self.turn(places.iter().any(|(place, _)| place.is_shared));
        if self.is_for_now(stream, accesses, || of_bytes(bytes) <= SHORT) {
            return work(self.now()).map(|()| None);
        }
        Ok(Some(self.queue.push(stream, accesses, Job::of(work))))
    }

    /// Does work with borrowed memory of the host, once what comes before it is done.
    fn wait_and(
        &self,
        stream: Option<StreamId>,
        place: Place,
        kind: Kind,
        work: impl FnOnce(&Immediate<E>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let _turn = self.turn(place.is_shared);
        self.queue.wait_for(stream, &[Access { memory: place.memory, kind }]);
        work(self.now())
    }
}

/// Picoseconds in which so many bytes are copied, roughly.
fn of_bytes(bytes: usize) -> u64 {
    (bytes as u64).saturating_mul(OF_A_BYTE)
}

impl<E: Engine> Backend for Queued<E> {}

impl<E: Engine> Information for Queued<E> {
    fn kind(&self) -> DeviceKind {
        E::KIND
    }

    fn name(&self) -> &str {
        self.engine().name()
    }

    fn limits(&self) -> &Limits {
        self.engine().limits()
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        Ok(self.engine().info())
    }

    fn workers(&self) -> Option<Workers> {
        self.engine().workers()
    }

    fn has_cooperative_launches(&self) -> bool {
        self.engine().has_cooperative_launches()
    }

    fn lacks(&self, attribute: Attribute) -> Option<String> {
        self.engine().lacks(attribute)
    }
}

impl<E: Engine> Output for Queued<E> {
    fn printed(&self) -> &Printed {
        self.engine().printed()
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.engine().set_heap_bytes(bytes)
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.engine().heap_usage()
    }
}
