use std::cell::Cell;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::control::{Link, Trouble};
use crate::engine::{DeviceEngine, Engine, HostEngine};
use crate::sentinel::{Calls, Sentinel};
use crate::world::Inner as World;

/// What calls under way have of their communicator.
pub(crate) struct Shared {
    number: u32,
    pub(super) rank: usize,
    pub(super) size: usize,
    pub(super) engine: Engine,
    link: Option<Arc<Link>>,
    /// Counted where a thread looks for calls that wait in vain.
    calls: Option<Calls>,
    pub(super) checks: bool,
    /// Held during a call: an engine makes one at a time, whichever threads they come from.
    turn: Mutex<()>,
    has_failed: AtomicBool,
    /// What went wrong first.
    failure: Mutex<Option<Trouble>>,
    /// The world, which ends after its engines.
    _world: Arc<World>,
}

thread_local! {
    /// Whether this thread is in a call that does its work and returns the work's error.
    static IS_IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// Whether the call that submitted some work has returned, so that it can't return the work's error.
#[derive(Clone, Debug)]
pub(super) enum Returned {
    /// On a CPU device: work is done in its call, or else in a replay.
    UnlessInCall,
    /// On a GPU, where a thread of the driver's does the work.
    If(Arc<AtomicBool>),
}

impl Returned {
    /// Of a call that does its work itself.
    pub(super) fn by_call<R>(call: impl FnOnce(Self) -> R) -> R {
        let outer = IS_IN_CALL.replace(true);
        let result = call(Self::UnlessInCall);
        IS_IN_CALL.set(outer);
        result
    }

    fn has_returned(&self) -> bool {
        match self {
            Self::UnlessInCall => !IS_IN_CALL.get(),
            Self::If(has_returned) => has_returned.load(Ordering::Acquire),
        }
    }
}

impl Shared {
    /// What calls of a world's communicator have, before the first of them.
    pub(crate) fn new(number: u32, engine: Engine, world: Arc<World>) -> Self {
        Self {
            number,
            rank: world.place.rank,
            size: world.place.size,
            engine,
            link: world.link.clone(),
            calls: world.sentinel.as_ref().map(Sentinel::calls),
            checks: world.settings.checks,
            turn: Mutex::new(()),
            has_failed: AtomicBool::new(false),
            failure: Mutex::new(None),
            _world: world,
        }
    }

    /// # Errors
    /// What went wrong first.
    pub(super) fn result(&self) -> Result<(), Error> {
        if !self.has_failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().map_or(Ok(()), |trouble| Err(trouble.at(self.rank)))
    }

    /// Makes a call of an engine that works on the host's memory, once the ranks have compared it.
    pub(super) fn on_host(
        &self,
        returned: &Returned,
        compare: impl FnOnce(&Link, u32) -> Result<(), Trouble>,
        work: impl FnOnce(&dyn HostEngine) -> Result<(), Trouble>,
    ) {
        let Engine::Host(engine) = &self.engine else { return };
        self.make(compare, || work(&**engine));
        self.tell(returned);
    }

    /// Makes a call of an engine that works on devices' memory, once the ranks have compared it.
    ///
    /// # Errors
    /// What went wrong first.
    pub(super) fn on_device(
        &self,
        compare: impl FnOnce(&Link, u32) -> Result<(), Trouble>,
        work: impl FnOnce(&dyn DeviceEngine) -> Result<(), Trouble>,
    ) -> Result<(), Error> {
        let Engine::Device(engine) = &self.engine else { return Ok(()) };
        self.make(compare, || work(&**engine));
        self.result()
    }

    fn make(
        &self,
        compare: impl FnOnce(&Link, u32) -> Result<(), Trouble>,
        work: impl FnOnce() -> Result<(), Trouble>,
    ) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_failed.load(Ordering::Acquire) {
            return;
        }
        let compared = match &self.link {
            Some(link) if self.checks => compare(link, self.number),
            _ => Ok(()),
        };
        let done = compared.and_then(|()| match &self.calls {
            Some(calls) => calls.during(work),
            None => work(),
        });
        if let Err(trouble) = done {
            self.fail(trouble);
        }
    }

    /// What the ranks' link says by now, for work that goes on after its call.
    pub(super) fn look(&self) {
        let trouble = self.link.as_ref().and_then(|link| link.watch(self.number).trouble());
        if let Some(trouble) = trouble {
            self.fail(trouble);
        }
    }

    fn fail(&self, trouble: Trouble) {
        if let Some(link) = &self.link {
            link.fail(self.number, trouble.clone());
        }
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(trouble);
        self.has_failed.store(true, Ordering::Release);
    }

    /// Has whoever waits for the stream be told, where the call can't tell it any more.
    pub(super) fn tell(&self, returned: &Returned) {
        if returned.has_returned()
            && let Err(error) = self.result()
        {
            // Not by `panic!`, which would write it to standard error too.
            resume_unwind(Box::new(error.to_string()));
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, rank, size, engine, .. } = self;
        f.debug_struct("Communicator")
            .field("number", number)
            .field("rank", rank)
            .field("size", size)
            .field("engine", engine)
            .finish_non_exhaustive()
    }
}
