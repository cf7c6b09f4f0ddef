use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::registry::{Answers, Registry};
use super::words::{FromHub, ToHub, Trouble};
use crate::Error;

/// How often the hub looks for those who waited too long.
const TICK: Duration = Duration::from_millis(20);

/// How long a rank may take to read what it is told.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a line, at most. The longest name the elements to and from each of some thousand ranks.
const LONGEST_LINE: u64 = 1 << 20;

/// Rank 0's threads, which answer all ranks until all have left.
#[derive(Debug)]
pub(crate) struct Hub {
    address: SocketAddr,
    thread: JoinHandle<()>,
}

/// What the threads that read tell the one that answers.
enum Event {
    Joined(usize, TcpStream),
    Said(usize, ToHub),
    Closed(usize, String),
}

impl Hub {
    /// Listens at an address, which may leave the port to the system, for the ranks of a world.
    ///
    /// # Errors
    /// [`Error::Control`] if the address can't be had.
    pub(crate) fn start(at: SocketAddr, size: usize, token: u64, limit: Duration) -> Result<Self, Error> {
        let failed =
            |error: io::Error| Error::Control { what: format!("rank 0 can't listen at {at}: {error}") };
        let listener = TcpListener::bind(at).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (events, received) = channel();
        let named = |name: &str| thread::Builder::new().name(format!("gridwright {name}"));
        // It waits in `accept` for ever and ends with the process: nobody needs it once all ranks are there.
        named("ranks").spawn(move || accept(&listener, token, size, &events)).map_err(failed)?;
        let thread = named("hub").spawn(move || answer(size, &received, limit)).map_err(failed)?;
        Ok(Self { address, thread })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until all ranks have left, but no longer than `limit`. Meanwhile an engine goes on.
    pub(crate) fn end(self, limit: Duration, progress: impl Fn()) {
        let until = Instant::now() + limit;
        while !self.thread.is_finished() && Instant::now() < until {
            progress();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn accept(listener: &TcpListener, token: u64, size: usize, events: &Sender<Event>) {
    for stream in listener.incoming() {
        let (Ok(stream), events) = (stream, events.clone()) else { continue };
        let read = move || {
            // Whoever isn't a rank is left alone.
            if let Some((rank, lines)) = greet(stream, token, size, &events) {
                read(rank, lines, &events);
            }
        };
        // Without a thread the rank hears nothing, and says so when its time is up.
        let _ = thread::Builder::new().name("gridwright rank".into()).spawn(read);
    }
}

/// The rank at the other end of a new connection.
fn greet(
    stream: TcpStream,
    token: u64,
    size: usize,
    events: &Sender<Event>,
) -> Option<(usize, BufReader<TcpStream>)> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let writer = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream);
    let Ok(Some(ToHub::Hello { token: given, rank })) = line(&mut lines) else { return None };
    if given != token || rank >= size {
        return None;
    }
    lines.get_ref().set_read_timeout(None).ok()?;
    events.send(Event::Joined(rank, writer)).ok()?;
    Some((rank, lines))
}

fn read(rank: usize, mut lines: BufReader<TcpStream>, events: &Sender<Event>) {
    let how = loop {
        match line(&mut lines) {
            Ok(Some(word)) => {
                if events.send(Event::Said(rank, word)).is_err() {
                    return;
                }
            }
            Ok(None) => break "its process ended, or was killed".to_owned(),
            Err(error) => break format!("its link failed: {error}"),
        }
    };
    // The hub may have ended: then there is nobody to tell.
    let _ = events.send(Event::Closed(rank, how));
}

/// The next line, none at the end.
pub(super) fn line<W: serde::de::DeserializeOwned>(lines: &mut impl BufRead) -> io::Result<Option<W>> {
    let mut text = String::new();
    if lines.take(LONGEST_LINE).read_line(&mut text)? == 0 {
        return Ok(None);
    }
    serde_json::from_str(&text).map(Some).map_err(io::Error::from)
}

/// Writes a line.
pub(super) fn say(to: &mut impl Write, word: &impl serde::Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(word)?;
    text.push(b'\n');
    to.write_all(&text)
}

fn answer(size: usize, events: &Receiver<Event>, limit: Duration) {
    let mut registry = Registry::new(size);
    let mut ranks = BTreeMap::new();
    let start = Instant::now();
    let mut has_started = false;
    while !registry.is_over() {
        let mut answers = match events.recv_timeout(TICK) {
            Ok(Event::Joined(rank, stream)) => {
                ranks.insert(rank, stream);
                if ranks.len() == size {
                    has_started = true;
                    (0..size).map(|rank| (rank, FromHub::Started)).collect()
                } else {
                    Answers::new()
                }
            }
            Ok(Event::Said(rank, word)) => registry.said(rank, word, Instant::now()),
            Ok(Event::Closed(rank, how)) => registry.closed(rank, &how),
            Err(RecvTimeoutError::Timeout) => Answers::new(),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        answers.extend(registry.due(Instant::now()));
        if !has_started && start.elapsed() > limit {
            let missing = (0..size).filter(|rank| !ranks.contains_key(rank)).collect();
            let call = "`World::from_env`".to_owned();
            let trouble = Trouble::Missing { call, missing, seconds: start.elapsed().as_secs_f64() };
            answers.extend(ranks.keys().map(|&rank| (rank, FromHub::Died { trouble: trouble.clone() })));
            tell(&mut ranks, answers);
            return;
        }
        let lost = tell(&mut ranks, answers);
        for rank in lost {
            let answers = registry.closed(rank, "it doesn't read what it is told");
            tell(&mut ranks, answers);
        }
    }
}

/// Tells ranks, and gives those who couldn't be told.
fn tell(ranks: &mut BTreeMap<usize, TcpStream>, answers: Answers) -> Vec<usize> {
    let mut lost = Vec::new();
    for (rank, word) in answers {
        if ranks.get_mut(&rank).is_some_and(|stream| say(stream, &word).is_err()) {
            ranks.remove(&rank);
            lost.push(rank);
        }
    }
    lost
}
