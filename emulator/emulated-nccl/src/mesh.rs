//! Connections of a rank with each other rank.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::inbox::{Frame, Inbox, Place};
use crate::locks::lock;
use crate::operation::SENT_BYTES;
use crate::rendezvous::{Member, accept, connect, join, listen, system};

/// Bytes before those of a frame: whether it is a message, its number, its length, its call.
const HEAD_BYTES: usize = 24 + SENT_BYTES;

/// The most bytes that are reserved before they have come.
const FIRST_BYTES: u64 = 1 << 20;

pub(crate) struct Mesh {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    patience: Duration,
    inbox: Arc<Inbox>,
    /// By rank; none for this one's own.
    peers: Vec<Option<Mutex<UnixStream>>>,
}

impl Mesh {
    /// Waits until all ranks have come, and connects with each.
    pub(crate) fn connect(name: &str, member: Member, patience: Duration) -> Result<Self, Error> {
        let Member { rank, size, .. } = member;
        let own = |rank: usize| format!("{name}-{rank}");
        // Before the others hear that all have come. The root says it if the rank came twice.
        let listener = listen(&own(rank));
        join(name, member, patience)?;
        let listener = listener?;
        let mut peers: Vec<_> = (0..size).map(|_| None).collect();
        for (peer, place) in peers.iter_mut().enumerate().take(rank) {
            let mut stream = connect(&own(peer))?;
            stream.write_all(&(rank as u32).to_le_bytes()).map_err(system)?;
            *place = Some(stream);
        }
        let deadline = Instant::now() + patience;
        for _ in rank + 1..size {
            let late = || Error::system("a rank came, and didn't connect");
            let mut stream = accept(&listener, deadline)?.ok_or_else(late)?;
            stream.set_read_timeout(Some(patience)).map_err(system)?;
            let mut sent = [0; 4];
            stream.read_exact(&mut sent).map_err(system)?;
            stream.set_read_timeout(None).map_err(system)?;
            let place = peers.get_mut(u32::from_le_bytes(sent) as usize);
            *place.ok_or_else(|| Error::internal("a rank that doesn't exist connected"))? = Some(stream);
        }
        let inbox = Arc::new(Inbox::default());
        for (peer, stream) in peers.iter().enumerate() {
            let Some(stream) = stream else { continue };
            stream.set_write_timeout(Some(patience)).map_err(system)?;
            let (mut stream, inbox) = (stream.try_clone().map_err(system)?, Arc::clone(&inbox));
            let thread = std::thread::Builder::new().name(format!("nccl rank {peer}"));
            let read = move || {
                while let Some((place, frame)) = receive(peer, &mut stream) {
                    inbox.put(place, frame);
                }
                inbox.close(peer);
            };
            thread.spawn(read).map_err(system)?;
        }
        let peers = peers.into_iter().map(|stream| stream.map(Mutex::new)).collect();
        Ok(Self { rank, size, patience, inbox, peers })
    }

    /// Sends bytes of a call to a rank, which may be this one.
    pub(crate) fn send(&self, to: Place, call: [u8; SENT_BYTES], bytes: &[u8]) -> Result<(), Error> {
        if to.rank == self.rank {
            let place = Place { rank: self.rank, ..to };
            self.inbox.put(place, Frame { call, bytes: bytes.to_vec() });
            return Ok(());
        }
        let peer = self.peers.get(to.rank).and_then(Option::as_ref);
        let mut stream = lock(peer.ok_or_else(|| Error::internal(format!("there is no rank {}", to.rank)))?);
        let numbers = [u64::from(to.is_message), to.sequence, bytes.len() as u64].map(u64::to_le_bytes);
        let head = [numbers.as_flattened(), &call].concat();
        let sent = stream.write_all(&head).and_then(|()| stream.write_all(bytes));
        sent.map_err(|error| Error::remote(format!("rank {}: {error}", to.rank)))
    }

    pub(crate) fn take(&self, from: Place) -> Result<Frame, Error> {
        self.inbox.take(from, self.patience)
    }

    /// Ends all that waits. The first error stays.
    pub(crate) fn stop(&self, error: Error) {
        self.inbox.stop(error);
    }

    pub(crate) fn stopped(&self) -> Option<Error> {
        self.inbox.stopped()
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        for peer in self.peers.iter().flatten() {
            // The reader's thread ends with it. What was sent still comes.
            let _ = lock(peer).shutdown(Shutdown::Both);
        }
    }
}

/// The next frame of a rank; none at its end.
fn receive(rank: usize, stream: &mut UnixStream) -> Option<(Place, Frame)> {
    let mut head = [0; HEAD_BYTES];
    stream.read_exact(&mut head).ok()?;
    let (numbers, call) = head.split_first_chunk::<24>()?;
    let number = |at: usize| Some(u64::from_le_bytes(numbers.get(at * 8..at * 8 + 8)?.try_into().ok()?));
    let (is_message, sequence, len) = (number(0)? != 0, number(1)?, number(2)?);
    let mut bytes = Vec::with_capacity(len.min(FIRST_BYTES) as usize);
    let read = stream.take(len).read_to_end(&mut bytes).ok()?;
    let is_whole = read as u64 == len;
    is_whole.then_some((Place { rank, is_message, sequence }, Frame { call: call.try_into().ok()?, bytes }))
}
