use std::collections::BTreeMap;
use std::fmt;
use std::io::BufReader;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::hub::{line, say};
use super::words::{FromHub, ToHub, Trouble};
use crate::Error;
use crate::call::{Call, Message};

/// Time between two attempts to reach rank 0, which may not have started yet.
const RETRY: Duration = Duration::from_millis(20);

/// How often an engine goes on where a rank waits.
const TICK: Duration = Duration::from_micros(200);

/// How much longer than its limit a rank waits for the hub, which says who is missing.
const GRACE: Duration = Duration::from_secs(5);

/// A rank's own end of its link to the hub.
#[derive(Debug)]
pub(crate) struct Link {
    rank: usize,
    limit: Duration,
    stream: Mutex<TcpStream>,
    tickets: AtomicU64,
    heard: Arc<Heard>,
    /// What an engine wants done where a rank waits.
    progress: OnceLock<Progress>,
}

struct Progress(Box<dyn Fn() + Send + Sync>);

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

/// What a rank was told, for those who look at it while they wait for something else.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    communicator: u32,
    heard: Arc<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    /// Whether there is any trouble: most look no further.
    is_any: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    has_started: bool,
    is_leaving: bool,
    verdicts: BTreeMap<u64, Option<Trouble>>,
    values: BTreeMap<String, Vec<u8>>,
    broken: BTreeMap<u32, Trouble>,
    died: Option<Trouble>,
}

impl Link {
    /// Reaches the hub, and waits until all ranks have.
    ///
    /// # Errors
    /// [`Error::Control`] if rank 0 can't be reached within the limit; [`Error::Missing`] if another rank doesn't come.
    pub(crate) fn connect(at: SocketAddr, rank: usize, token: u64, limit: Duration) -> Result<Self, Error> {
        let until = Instant::now() + limit;
        let stream = loop {
            match TcpStream::connect_timeout(&at, limit) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() >= until => {
                    let what = format!("rank {rank} can't reach rank 0 at {at}: {error}");
                    return Err(Error::Control { what });
                }
                Err(_) => thread::sleep(RETRY),
            }
        };
        let failed = |error: std::io::Error| Error::Control { what: format!("rank {rank}: {error}") };
        stream.set_nodelay(true).map_err(failed)?;
        let lines = BufReader::new(stream.try_clone().map_err(failed)?);
        let heard = Arc::new(Heard::default());
        let listening = Arc::clone(&heard);
        let named = thread::Builder::new().name("gridwright link".into());
        named.spawn(move || listening.listen(lines)).map_err(failed)?;
        let link = Self {
            rank,
            limit,
            stream: Mutex::new(stream),
            tickets: AtomicU64::new(0),
            heard,
            progress: OnceLock::new(),
        };
        link.say(&ToHub::Hello { token, rank }).map_err(|trouble| trouble.at(rank))?;
        link.wait(limit, |state| state.has_started.then_some(())).map_err(|trouble| trouble.at(rank))?;
        Ok(link)
    }

    /// Has an engine's part done where this rank waits.
    pub(crate) fn go_on_with(&self, progress: impl Fn() + Send + Sync + 'static) {
        // There is one engine that wants it, and one of it in a process.
        let _ = self.progress.set(Progress(Box::new(progress)));
    }

    /// Waits until all ranks have entered the same call of a communicator.
    pub(crate) fn enter(&self, communicator: u32, call: &Call) -> Result<(), Trouble> {
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let limit = self.limit.as_millis().try_into().unwrap_or(u64::MAX);
        self.say(&ToHub::Enter { communicator, ticket, call: call.clone(), limit })?;
        self.verdict(communicator, ticket)
    }

    /// Waits until the other end of each message has been entered.
    pub(crate) fn exchange(&self, communicator: u32, messages: Vec<Message>) -> Result<(), Trouble> {
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let limit = self.limit.as_millis().try_into().unwrap_or(u64::MAX);
        self.say(&ToHub::Exchange { communicator, ticket, messages, limit })?;
        self.verdict(communicator, ticket)
    }

    /// Lets others have bytes.
    pub(crate) fn put(&self, key: String, bytes: Vec<u8>) -> Result<(), Trouble> {
        self.say(&ToHub::Put { key, bytes })
    }

    /// Bytes that another rank put, once it has.
    pub(crate) fn get(&self, key: &str) -> Result<Vec<u8>, Trouble> {
        self.say(&ToHub::Get { key: key.into() })?;
        self.wait(self.limit, |state| state.values.remove(key))
    }

    /// Tells all ranks that a communicator failed here.
    pub(crate) fn fail(&self, communicator: u32, trouble: Trouble) {
        // Where it can't be said, the link is gone, which says more.
        let _ = self.say(&ToHub::Failed { communicator, trouble });
    }

    /// What an engine looks at while it waits.
    pub(crate) fn watch(&self, communicator: u32) -> Watch {
        Watch { communicator, heard: Arc::clone(&self.heard) }
    }

    /// Says that this rank ends as it should.
    pub(crate) fn leave(&self) {
        self.heard.lock().is_leaving = true;
        let _ = self.say(&ToHub::Leave);
    }

    /// Whether a rank ended before it should have.
    pub(crate) fn has_died(&self) -> bool {
        self.heard.is_any.load(Ordering::Relaxed) && self.heard.lock().died.is_some()
    }

    fn verdict(&self, communicator: u32, ticket: u64) -> Result<(), Trouble> {
        let verdict = self.wait(self.limit, |state| {
            let broken = state.broken.get(&communicator).cloned().map(Some);
            state.verdicts.remove(&ticket).or(broken)
        })?;
        verdict.map_or(Ok(()), Err)
    }

    fn say(&self, word: &ToHub) -> Result<(), Trouble> {
        let said = say(&mut *self.stream.lock().unwrap_or_else(PoisonError::into_inner), word);
        said.map_err(|error| {
            let heard = self.heard.lock().died.clone();
            heard.unwrap_or(Trouble::Control {
                what: format!("rank {} can't reach rank 0: {error}", self.rank),
            })
        })
    }

    /// Waits for something to be heard.
    fn wait<R>(&self, limit: Duration, mut look: impl FnMut(&mut State) -> Option<R>) -> Result<R, Trouble> {
        let until = Instant::now() + limit + GRACE;
        loop {
            let mut state = self.heard.lock();
            if let Some(found) = look(&mut state) {
                return Ok(found);
            }
            if let Some(died) = &state.died {
                return Err(died.clone());
            }
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                let what = format!("rank {}: rank 0 didn't answer within {limit:?}", self.rank);
                return Err(Trouble::Control { what });
            };
            let progress = self.progress.get();
            let left = if progress.is_some() { left.min(TICK) } else { left };
            drop(self.heard.changed.wait_timeout(state, left));
            if let Some(Progress(progress)) = progress {
                progress();
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The thread that listens ends by it.
        let _ = self.stream.get_mut().unwrap_or_else(PoisonError::into_inner).shutdown(Shutdown::Both);
    }
}

impl Watch {
    /// What keeps the communicator from going on, if anything does.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        if !self.heard.is_any.load(Ordering::Relaxed) {
            return None;
        }
        let state = self.heard.lock();
        state.broken.get(&self.communicator).or(state.died.as_ref()).cloned()
    }
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked with it had put something in, or not.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, mut lines: BufReader<TcpStream>) {
        loop {
            let word = line(&mut lines);
            let mut state = self.lock();
            match word {
                Ok(Some(FromHub::Started)) => state.has_started = true,
                Ok(Some(FromHub::Verdict { ticket, trouble })) => {
                    state.verdicts.insert(ticket, trouble);
                }
                Ok(Some(FromHub::Value { key, bytes })) => {
                    state.values.insert(key, bytes);
                }
                Ok(Some(FromHub::Broken { communicator, trouble })) => {
                    state.broken.entry(communicator).or_insert(trouble);
                    self.is_any.store(true, Ordering::Relaxed);
                }
                Ok(Some(FromHub::Died { trouble })) => {
                    state.died.get_or_insert(trouble);
                    self.is_any.store(true, Ordering::Relaxed);
                }
                Ok(None) | Err(_) => {
                    if !state.is_leaving {
                        let how = "its process ended, or was killed".into();
                        state.died.get_or_insert(Trouble::Died { dead: 0, how });
                        self.is_any.store(true, Ordering::Relaxed);
                    }
                    self.changed.notify_all();
                    return;
                }
            }
            self.changed.notify_all();
        }
    }
}
