use std::ffi::{c_char, c_int, c_void};
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use gridwright::Stream;

use super::abi::{DataType, Handle, IN_PROGRESS, RedOp, SUCCESS, UniqueId};
use super::library::Library;
use crate::Error;
use crate::call::{Call, Collective};
use crate::control::{Link, Trouble};
use crate::element::Number;
use crate::engine::{DeviceEngine, EngineKind};

/// How often a thread looks for ranks that ended.
const TICK: Duration = Duration::from_millis(100);

/// How long a call may go on when a rank has ended, before the communicator is taken from under it.
const PATIENCE: Duration = Duration::from_secs(2);

/// A communicator of NCCL's or RCCL's.
pub(crate) struct Group(Arc<Inner>);

struct Inner {
    library: Library,
    handle: Handle,
    rank: usize,
    size: usize,
    /// Held during a call.
    turn: Mutex<()>,
    /// Whether the handle means nothing any more.
    is_over: AtomicBool,
}

// SAFETY: a handle, which the library takes from any thread, one at a time as `turn` sees to.
unsafe impl Send for Inner {}
// SAFETY: `turn` is held in each call.
unsafe impl Sync for Inner {}

impl Group {
    /// A communicator of all ranks, each with the device of a stream. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Engine`], [`Error::Gridwright`], and what goes wrong among ranks.
    pub(crate) fn new(
        library: Library,
        stream: &Stream,
        link: &Arc<Link>,
        number: u32,
        (rank, size): (usize, usize),
    ) -> Result<Self, Error> {
        let failed = |trouble: Trouble| trouble.at(rank);
        let key = format!("{} {number}", library.vendor.kind());
        let mut id = UniqueId([0; 128]);
        if rank == 0 {
            id = library
                .unique_id()
                .map_err(|message| trouble(&library, "ncclGetUniqueId", message).at(rank))?;
            link.put(key, id.0.iter().map(|&byte| byte as u8).collect()).map_err(failed)?;
        } else {
            let bytes = link.get(&key).map_err(failed)?;
            id.0.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte as c_char);
        }
        let mut handle = ptr::null_mut();
        // SAFETY: nothing is given to the stream: it makes its device the current one, which the communicator becomes of. All ranks call it
        // with one id; a place for the handle.
        let status = unsafe {
            stream.with_driver((), |_, ()| {
                (library.functions.init_rank)(&mut handle, size as c_int, id, rank as c_int)
            })
        }?;
        let made = library.check(status);
        made.map_err(|message| trouble(&library, "ncclCommInitRank", message).at(rank))?;
        let (turn, is_over) = (Mutex::new(()), AtomicBool::new(false));
        let inner = Arc::new(Inner { library, handle, rank, size, turn, is_over });
        let (watched, link) = (Arc::clone(&inner), Arc::clone(link));
        // Without a thread, work that waits for a rank that ended waits for ever, as it does in NCCL.
        let named = thread::Builder::new().name("gridwright collectives".into());
        let _ = named.spawn(move || watched.watch(&link, number));
        Ok(Self(inner))
    }
}

impl Inner {
    /// Ends the communicator when a rank has ended or work failed, so that the work of streams that waits for it ends too.
    fn watch(&self, link: &Link, number: u32) {
        let watch = link.watch(number);
        while !self.is_over.load(Ordering::Acquire) {
            thread::sleep(TICK);
            if let Some(trouble) = self.failed() {
                link.fail(number, trouble);
            }
            if watch.trouble().is_none() {
                continue;
            }
            let until = Instant::now() + PATIENCE;
            let turn = loop {
                match self.turn.try_lock() {
                    Ok(turn) => break Some(turn),
                    Err(TryLockError::Poisoned(turn)) => break Some(turn.into_inner()),
                    // It is stuck in the library, which takes this call from another thread for that.
                    Err(TryLockError::WouldBlock) if Instant::now() > until => break None,
                    Err(TryLockError::WouldBlock) => thread::sleep(TICK),
                }
            };
            if !self.is_over.swap(true, Ordering::AcqRel) {
                // SAFETY: a communicator that is neither destroyed nor aborted yet, as `is_over` says; no call begins after this.
                unsafe { (self.library.functions.abort)(self.handle) };
            }
            drop(turn);
        }
    }

    /// What work that was given to streams failed by, if it did.
    fn failed(&self) -> Option<Trouble> {
        let _turn = self.turn.try_lock().ok()?;
        if self.is_over.load(Ordering::Acquire) {
            return None;
        }
        let mut failure = SUCCESS;
        // SAFETY: a communicator that is there, as `is_over` says; a place for the answer.
        let status = unsafe { (self.library.functions.async_error)(self.handle, &mut failure) };
        let failure = if status == SUCCESS { failure } else { status };
        if failure == IN_PROGRESS {
            return None;
        }
        self.check("ncclCommGetAsyncError", failure).err()
    }

    /// Makes a call, with the handle while it means something.
    fn make(&self, call: impl FnOnce() -> Result<(), Trouble>) -> Result<(), Trouble> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_over.load(Ordering::Acquire) {
            let what = "the communicator was ended, as a rank had".into();
            return Err(Trouble::Control { what });
        }
        call()
    }

    /// Makes calls that the library sees at once.
    fn together(&self, calls: impl FnOnce() -> Result<(), Trouble>) -> Result<(), Trouble> {
        // SAFETY: every start has an end.
        self.check("ncclGroupStart", unsafe { (self.library.functions.group_start)() })?;
        let made = calls();
        // Also where one failed: the group is the thread's.
        // SAFETY: the start was just now, and the communicators of the calls are there.
        let ended = self.check("ncclGroupEnd", unsafe { (self.library.functions.group_end)() });
        made.and(ended)
    }

    fn check(&self, call: &'static str, status: c_int) -> Result<(), Trouble> {
        self.library.check(status).map_err(|message| trouble(&self.library, call, message))
    }

    /// Sends bytes to a rank, of the group that is open.
    ///
    /// # Safety
    /// That of [`DeviceEngine::collective`].
    unsafe fn send(&self, bytes: *const [u8], to: usize, stream: *mut c_void) -> Result<(), Trouble> {
        let (from, len, to) = (bytes.cast::<c_void>(), bytes.len(), to as c_int);
        // SAFETY: the caller says that the stream's work may read this memory; a rank that there is.
        let sent =
            unsafe { (self.library.functions.send)(from, len, DataType::Uint8, to, self.handle, stream) };
        self.check("ncclSend", sent)
    }

    /// Receives bytes from a rank, of the group that is open.
    ///
    /// # Safety
    /// That of [`DeviceEngine::collective`].
    unsafe fn receive(&self, bytes: *mut [u8], from: usize, stream: *mut c_void) -> Result<(), Trouble> {
        let (to, len, from) = (bytes.cast::<c_void>(), bytes.len(), from as c_int);
        // SAFETY: the caller says that the stream's work may write this memory; a rank that there is.
        let received =
            unsafe { (self.library.functions.receive)(to, len, DataType::Uint8, from, self.handle, stream) };
        self.check("ncclRecv", received)
    }

    /// Sends a part of memory to each rank and receives one from each. Lengths are in bytes.
    ///
    /// # Safety
    /// That of [`DeviceEngine::collective`].
    unsafe fn all_to_all(
        &self,
        sent: impl Iterator<Item = usize>,
        received: impl Iterator<Item = usize>,
        (input, output): (*const u8, *mut u8),
        stream: *mut c_void,
    ) -> Result<(), Trouble> {
        self.together(|| {
            let (mut from, mut to) = (input, output);
            for (peer, (sent, received)) in sent.zip(received).enumerate() {
                let parts =
                    (ptr::slice_from_raw_parts(from, sent), ptr::slice_from_raw_parts_mut(to, received));
                // SAFETY: parts of memory of which the caller says that the stream's work may use it.
                unsafe {
                    self.send(parts.0, peer, stream)?;
                    self.receive(parts.1, peer, stream)?;
                }
                (from, to) = (from.wrapping_add(sent), to.wrapping_add(received));
            }
            Ok(())
        })
    }
}

impl DeviceEngine for Group {
    fn kind(&self) -> EngineKind {
        self.0.library.vendor.kind()
    }

    unsafe fn collective(
        &self,
        call: &Call,
        number: Option<Number>,
        input: Option<*const [u8]>,
        output: *mut [u8],
        stream: *mut c_void,
    ) -> Result<(), Trouble> {
        let inner = &*self.0;
        let (functions, handle) = (&inner.library.functions, inner.handle);
        let (to, to_bytes) = (output.cast::<c_void>(), output.len());
        let (from, from_bytes) =
            input.map_or((to.cast_const(), to_bytes), |input| (input.cast::<c_void>(), input.len()));
        // A barrier reduces a byte that nobody looks at.
        let number = number.unwrap_or(Number::U8);
        let (kind, each) = (DataType::from(number), number.bytes());
        let (from_len, to_len, bytes) = (from_bytes / each, to_bytes / each, DataType::Uint8);
        inner.make(|| {
            let done = match &call.collective {
                Collective::New(_) => return Ok(()),
                // SAFETY: the caller says that the stream's work may use this memory, which has as many elements.
                Collective::Barrier => unsafe {
                    (functions.all_reduce)(from, to, to_len, kind, RedOp::Maximum, handle, stream)
                },
                // SAFETY: the caller says that the stream's work may use this memory, which has as many elements.
                &Collective::AllReduce(op) => unsafe {
                    (functions.all_reduce)(from, to, to_len, kind, op.into(), handle, stream)
                },
                // SAFETY: the caller says that the stream's work may use this memory, which has as many elements.
                &Collective::Reduce(op, root) => unsafe {
                    (functions.reduce)(from, to, from_len, kind, op.into(), root as c_int, handle, stream)
                },
                // SAFETY: the caller says that the stream's work may use this memory, which has as many bytes.
                &Collective::Broadcast(root) => unsafe {
                    (functions.broadcast)(from, to, to_bytes, bytes, root as c_int, handle, stream)
                },
                // SAFETY: the caller says that the stream's work may use this memory, the output with so many bytes a rank.
                Collective::AllGather => unsafe {
                    (functions.all_gather)(from, to, from_bytes, bytes, handle, stream)
                },
                // SAFETY: the caller says that the stream's work may use this memory, the input with so many elements a rank.
                &Collective::ReduceScatter(op) => unsafe {
                    (functions.reduce_scatter)(from, to, to_len, kind, op.into(), handle, stream)
                },
                Collective::AllToAll => {
                    let parts = || std::iter::repeat_n(from_bytes / inner.size, inner.size);
                    // SAFETY: the caller's words; the parts are all of the memory.
                    return unsafe { inner.all_to_all(parts(), parts(), (from.cast(), to.cast()), stream) };
                }
                Collective::AllToAllV(sent, received) => {
                    let elements: usize = sent.iter().chain(received).sum();
                    let element = (from_bytes + to_bytes).checked_div(elements).unwrap_or(1);
                    let parts =
                        |counts: &[usize]| counts.iter().map(|count| count * element).collect::<Vec<_>>();
                    let (sent, received) = (parts(sent).into_iter(), parts(received).into_iter());
                    // SAFETY: the caller's words; the parts are all of the memory.
                    return unsafe { inner.all_to_all(sent, received, (from.cast(), to.cast()), stream) };
                }
            };
            inner.check(call.collective.name(), done)
        })
    }

    unsafe fn exchange(
        &self,
        sends: &[(usize, *const [u8])],
        receives: &[(usize, *mut [u8])],
        stream: *mut c_void,
    ) -> Result<(), Trouble> {
        let inner = &*self.0;
        inner.make(|| {
            inner.together(|| {
                for &(to, bytes) in sends {
                    // SAFETY: the caller says that the stream's work may read this memory.
                    unsafe { inner.send(bytes, to, stream) }?;
                }
                for &(from, bytes) in receives {
                    // SAFETY: the caller says that the stream's work may write this memory.
                    unsafe { inner.receive(bytes, from, stream) }?;
                }
                Ok(())
            })
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.0.is_over.swap(true, Ordering::AcqRel) {
            let functions = &self.0.library.functions;
            // SAFETY: a communicator that is neither destroyed nor aborted yet, as `is_over` says; no call begins after this. Its work is done
            // when the first call returns.
            unsafe {
                (functions.finalize)(self.0.handle);
                (functions.destroy)(self.0.handle);
            }
        }
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { library, rank, size, .. } = &*self.0;
        f.debug_struct("Group")
            .field("engine", &library.vendor.kind())
            .field("rank", rank)
            .field("size", size)
            .finish_non_exhaustive()
    }
}

fn trouble(library: &Library, call: &'static str, message: String) -> Trouble {
    Trouble::Engine { engine: library.vendor.engine().into(), call: call.into(), message }
}
