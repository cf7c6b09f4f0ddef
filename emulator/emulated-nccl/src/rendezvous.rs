//! How ranks find each other: the process that made the id listens at its name, and lets all go on when all have come.

use std::io::{Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::abi::UniqueId;
use crate::error::{Code, Error};
use crate::settings;

/// What each name of this library's begins with. Names are abstract: no file stays behind.
const PREFIX: &str = "gridwright-nccl-";

/// Pause between two looks for a connection.
const PAUSE: Duration = Duration::from_millis(1);

/// More time than the root has, so that its answer comes first.
const MARGIN: Duration = Duration::from_secs(2);

/// The longest message that is read.
const LONGEST_MESSAGE: u32 = 4096;

/// A rank that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) uuid: [u8; 16],
}

const MEMBER_BYTES: usize = 24;

impl Member {
    fn sent(self) -> [u8; MEMBER_BYTES] {
        let mut sent = [0; MEMBER_BYTES];
        sent[..4].copy_from_slice(&(self.rank as u32).to_le_bytes());
        sent[4..8].copy_from_slice(&(self.size as u32).to_le_bytes());
        sent[8..].copy_from_slice(&self.uuid);
        sent
    }

    fn received(sent: [u8; MEMBER_BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, uuid @ ..] = sent;
        let number = |bytes| u32::from_le_bytes(bytes) as usize;
        Self { rank: number([a, b, c, d]), size: number([e, f, g, h]), uuid }
    }
}

/// Listens for ranks, and makes the id that says where.
pub(crate) fn open() -> Result<UniqueId, Error> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let patience = settings::patience()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{PREFIX}{}-{count}-{now}", std::process::id());
    let listener = listen(&name)?;
    let thread = std::thread::Builder::new().name("nccl root".into());
    thread.spawn(move || serve(&listener, patience)).map_err(system)?;
    UniqueId::of(&name)
}

/// # Errors
/// If this library didn't make the id.
pub(crate) fn name(id: &UniqueId) -> Result<String, Error> {
    let name = id.name();
    if name.starts_with(PREFIX) { Ok(name) } else { Err(Error::argument("the id isn't of ncclGetUniqueId")) }
}

/// Comes as a rank, and waits until all have.
pub(crate) fn join(name: &str, member: Member, patience: Duration) -> Result<(), Error> {
    let mut root = connect(name)?;
    root.set_read_timeout(Some(patience + MARGIN)).map_err(system)?;
    root.write_all(&member.sent()).map_err(system)?;
    let mut head = [0; 8];
    root.read_exact(&mut head).map_err(system)?;
    let [a, b, c, d, e, f, g, h] = head;
    let code = u32::from_le_bytes([a, b, c, d]);
    let len = u32::from_le_bytes([e, f, g, h]).min(LONGEST_MESSAGE);
    let mut message = vec![0; len as usize];
    root.read_exact(&mut message).map_err(system)?;
    // The root may be of this process, which may end: it has answered all when it closes.
    root.read(&mut [0]).map_err(system)?;
    if code == 0 {
        return Ok(());
    }
    Err(Error::new(Code::of(code), String::from_utf8_lossy(&message)))
}

/// The root's side.
fn serve(listener: &UnixListener, patience: Duration) {
    let mut ranks = Vec::new();
    let answer = gather(listener, patience, &mut ranks);
    let (code, message) = match answer {
        Ok(()) => (0, String::new()),
        Err(error) => (error.code.number(), error.message),
    };
    let head = [code.to_le_bytes(), (message.len() as u32).to_le_bytes()].concat();
    for (_, stream) in &mut ranks {
        // Who doesn't hear it any more needs no answer.
        let _ = stream.write_all(&[&head, message.as_bytes()].concat());
    }
}

fn gather(
    listener: &UnixListener,
    patience: Duration,
    ranks: &mut Vec<(Member, UnixStream)>,
) -> Result<(), Error> {
    // The first rank may come at any time.
    let mut stream = listener.accept().map_err(system)?.0;
    let deadline = Instant::now() + patience;
    loop {
        stream.set_read_timeout(Some(patience)).map_err(system)?;
        let mut sent = [0; MEMBER_BYTES];
        stream.read_exact(&mut sent).map_err(system)?;
        ranks.push((Member::received(sent), stream));
        let members: Vec<_> = ranks.iter().map(|(member, _)| *member).collect();
        let size = members.first().map_or(0, |member| member.size);
        if members.len() >= size {
            return check(&members);
        }
        stream = accept(listener, deadline)?.ok_or_else(|| {
            let missing = (0..size).filter(|rank| members.iter().all(|member| member.rank != *rank));
            let missing: Vec<_> = missing.map(|rank| rank.to_string()).collect();
            Error::system(format!("these ranks of {size} didn't come: {}", missing.join(", ")))
        })?;
    }
}

/// Compares each with those before it.
fn check(members: &[Member]) -> Result<(), Error> {
    for (place, last) in members.iter().enumerate() {
        for other in members.iter().take(place) {
            if other.size != last.size {
                let sizes = format!("one rank says {} ranks, another {}", other.size, last.size);
                return Err(Error::usage(sizes));
            }
            if other.rank == last.rank {
                return Err(Error::usage(format!("rank {} came twice", last.rank)));
            }
            if other.uuid == last.uuid {
                let (one, two) = (other.rank.min(last.rank), other.rank.max(last.rank));
                let device = last.uuid[15];
                let both = format!("rank {one} and rank {two} both on CUDA device {device}");
                return Err(Error::usage(format!("Duplicate GPU detected : {both}")));
            }
        }
    }
    Ok(())
}

pub(crate) fn listen(name: &str) -> Result<UnixListener, Error> {
    let address = SocketAddr::from_abstract_name(name).map_err(system)?;
    UnixListener::bind_addr(&address).map_err(system)
}

pub(crate) fn connect(name: &str) -> Result<UnixStream, Error> {
    let address = SocketAddr::from_abstract_name(name).map_err(system)?;
    UnixStream::connect_addr(&address).map_err(system)
}

/// A connection, if one comes in time.
pub(crate) fn accept(listener: &UnixListener, deadline: Instant) -> Result<Option<UnixStream>, Error> {
    listener.set_nonblocking(true).map_err(system)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(system)?;
                return Ok(Some(stream));
            }
            Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return Err(system(error)),
            Err(_) if Instant::now() >= deadline => return Ok(None),
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives")]
pub(crate) fn system(error: std::io::Error) -> Error {
    Error::system(format!("the ranks' connection: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{Member, check};

    #[test]
    fn members_that_do_not_fit_are_recognised() {
        let member = |rank, size, device| Member { rank, size, uuid: [device; 16] };
        let said = |members: &[Member]| check(members).map_err(|error| error.message);
        assert_eq!(said(&[member(0, 2, 0), member(1, 2, 1)]), Ok(()));
        assert_eq!(said(&[member(0, 2, 0), member(0, 2, 1)]), Err("rank 0 came twice".into()));
        assert_eq!(said(&[member(0, 2, 0), member(1, 3, 1)]), Err("one rank says 2 ranks, another 3".into()));
        assert!(
            said(&[member(1, 2, 0), member(0, 2, 0)])
                .unwrap_err()
                .starts_with("Duplicate GPU detected : rank 0")
        );
    }

    #[test]
    fn members_are_sent_whole() {
        let member = Member { rank: 3, size: 70_000, uuid: *b"0123456789abcdef" };
        assert_eq!(Member::received(member.sent()), member);
    }
}
