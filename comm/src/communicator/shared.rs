use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::call::{Call, Message};
use crate::control::{Link, Trouble};
use crate::engine::HostEngine;
use crate::sentinel::Sentinel;

/// What calls under way have of their communicator.
pub(crate) struct Shared {
    number: u32,
    pub(super) rank: usize,
    pub(super) size: usize,
    pub(super) engine: Box<dyn HostEngine>,
    link: Option<Arc<Link>>,
    sentinel: Option<Arc<Sentinel>>,
    checks: bool,
    /// Held during a call: an engine makes one at a time, whichever threads they come from.
    turn: Mutex<()>,
    has_failed: AtomicBool,
    /// What went wrong first.
    failure: Mutex<Option<Trouble>>,
}

/// Whether the call that submitted some work has returned, so that it can't return the work's error.
pub(super) type Returned = Arc<AtomicBool>;

impl Shared {
    pub(crate) fn new(
        number: u32,
        rank: usize,
        size: usize,
        engine: Box<dyn HostEngine>,
        link: Option<Arc<Link>>,
    ) -> Self {
        Self {
            number,
            rank,
            size,
            engine,
            link,
            sentinel: None,
            checks: false,
            turn: Mutex::new(()),
            has_failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    pub(crate) fn with(mut self, checks: bool, sentinel: Option<Arc<Sentinel>>) -> Self {
        (self.checks, self.sentinel) = (checks, sentinel);
        self
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

    /// Makes a collective call, once the ranks have compared it.
    pub(super) fn collective(
        &self,
        call: &Call,
        returned: &Returned,
        work: impl FnOnce(&dyn HostEngine) -> Result<(), Trouble>,
    ) {
        self.make(returned, |link| link.enter(self.number, call), work);
    }

    /// Exchanges messages, once the ranks have compared them.
    pub(super) fn exchange(
        &self,
        messages: &[Message],
        returned: &Returned,
        work: impl FnOnce(&dyn HostEngine) -> Result<(), Trouble>,
    ) {
        self.make(returned, |link| link.exchange(self.number, messages.to_vec()), work);
    }

    fn make(
        &self,
        returned: &Returned,
        compare: impl FnOnce(&Link) -> Result<(), Trouble>,
        work: impl FnOnce(&dyn HostEngine) -> Result<(), Trouble>,
    ) {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_failed.load(Ordering::Acquire) {
            drop(turn);
            return self.tell(returned);
        }
        let compared = match &self.link {
            Some(link) if self.checks => compare(link),
            _ => Ok(()),
        };
        let done = compared.and_then(|()| match &self.sentinel {
            Some(sentinel) => sentinel.during(|| work(&*self.engine)),
            None => work(&*self.engine),
        });
        drop(turn);
        if let Err(trouble) = done {
            self.fail(trouble);
            self.tell(returned);
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
    fn tell(&self, returned: &Returned) {
        if returned.load(Ordering::Acquire)
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
