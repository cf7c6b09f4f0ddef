//! Copies between host and device.

use std::ffi::c_int;
use std::sync::Arc;

use crate::arena::Arena;
use crate::error::Error;
use crate::memory::ALLOCATIONS;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream::{self, Stream};

/// A side of a copy, by its address.
#[derive(Clone, Copy)]
enum Side {
    /// In the arena: a device's memory, pinned or managed memory.
    Shared(u64),
    /// The program's own: valid for the copy that it is given to, as `hip_runtime_api.h` demands.
    Own(usize),
}

impl Side {
    /// # Errors
    /// For null, and what isn't allocated.
    fn new(address: u64, bytes: usize) -> Result<Self, Error> {
        match address {
            0 => Err(Error::INVALID_VALUE),
            _ if !Arena::contains(address) => Ok(Self::Own(address as usize)),
            _ if ALLOCATIONS.is_covered(address, bytes as u64) => Ok(Self::Shared(address)),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    fn is_there(self, bytes: usize) -> bool {
        match self {
            Self::Shared(address) => ALLOCATIONS.is_covered(address, bytes as u64),
            Self::Own(_) => true,
        }
    }

    /// Whether it stays valid when the call has returned.
    fn stays(self) -> bool {
        matches!(self, Self::Shared(_))
    }
}

/// Copies now. What was freed meanwhile is an error.
///
/// # Safety
/// The program's own memory is there.
unsafe fn copy(process: &Process, to: Side, from: Side, bytes: usize) -> Result<(), Error> {
    if !to.is_there(bytes) || !from.is_there(bytes) {
        return Err(Error::ILLEGAL_ADDRESS);
    }
    let arena = &process.arena;
    match (to, from) {
        (Side::Shared(to), Side::Shared(from)) => arena.copy(to, from, bytes),
        (Side::Shared(to), Side::Own(from)) => {
            // SAFETY: the program's memory is there, as this function asks, with so many bytes to read, as the program said.
            unsafe { arena.write(to, std::ptr::with_exposed_provenance(from), bytes) };
        }
        (Side::Own(to), Side::Shared(from)) => {
            // SAFETY: the program's memory is there, as this function asks, with so many bytes to write, as the program said.
            unsafe { arena.read(from, std::ptr::with_exposed_provenance_mut(to), bytes) };
        }
        (Side::Own(to), Side::Own(from)) => {
            let from = std::ptr::with_exposed_provenance::<u8>(from);
            // SAFETY: the program's memory is there on both sides, as this function asks, with so many bytes; the two may overlap.
            unsafe { std::ptr::copy(from, std::ptr::with_exposed_provenance_mut(to), bytes) };
        }
    }
    Ok(())
}

/// Whether the call waits for what HIP's documents say it may wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Async,
}

/// Memory of the program's own is staged where it is read: it can change once the call has returned, and the copy still has to
/// come. Where it is written the call waits.
fn submit(stream: &Stream, to: u64, from: u64, bytes: usize, form: Form) -> Result<(), Error> {
    let process = process()?;
    let (to, from) = (Side::new(to, bytes)?, Side::new(from, bytes)?);
    if let Side::Own(address) = from
        && to.stays()
    {
        if form == Form::Plain {
            stream.synchronize()?;
        }
        let mut staged = vec![0_u8; bytes];
        // SAFETY: the call hasn't returned.
        unsafe { staged.as_mut_ptr().copy_from(std::ptr::with_exposed_provenance(address), bytes) };
        stream.submit(Work::run(move || {
            let from = Side::Own(staged.as_ptr().expose_provenance());
            // SAFETY: `staged` is the closure's.
            unsafe { copy(process, to, from, bytes) }
        }))?;
        return stream.context.check();
    }
    // SAFETY: if a side doesn't stay the call waits below.
    let copied = stream.submit(Work::run(move || unsafe { copy(process, to, from, bytes) }))?;
    if form == Form::Plain || !to.stays() {
        copied.wait();
    }
    stream.context.check()
}

/// A copy that a graph makes.
#[derive(Clone, Copy)]
pub(crate) struct Transfer {
    to: u64,
    from: u64,
    bytes: usize,
}

impl Transfer {
    /// # Errors
    /// For what a runtime refuses when a copy is made part of a graph.
    pub(crate) fn new(to: u64, from: u64, bytes: usize) -> Result<Self, Error> {
        if bytes == 0 {
            return Err(Error::INVALID_VALUE);
        }
        Side::new(to, bytes)?;
        Side::new(from, bytes)?;
        Ok(Self { to, from, bytes })
    }

    /// Copies now.
    pub(crate) fn execute(&self, process: &Process) -> Result<(), Error> {
        let side = |address| Side::new(address, self.bytes).map_err(|_| Error::ILLEGAL_ADDRESS);
        // SAFETY: the program keeps its own memory until the graph has run.
        unsafe { copy(process, side(self.to)?, side(self.from)?, self.bytes) }
    }
}

/// Of `hipMemcpyKind`: host to host, to device, to host, on device, and where the addresses say it.
pub(crate) fn check_kind(kind: c_int) -> Result<(), Error> {
    if (0..=4).contains(&kind) { Ok(()) } else { Err(Error::INVALID_MEMCPY_DIRECTION) }
}

/// The stream, or none if there is nothing to copy.
fn begin(stream: Handle, bytes: usize) -> Result<Option<Arc<Stream>>, Error> {
    let stream = stream::find(stream)?;
    Ok((bytes > 0).then_some(stream))
}

/// Where these sides have to be in the arena.
fn on_device(addresses: &[u64]) -> Result<(), Error> {
    let all = addresses.iter().all(|&address| Arena::contains(address));
    if all { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

hip! {
    fn hipMemcpy(to: u64, from: u64, bytes: usize, kind: c_int) {
        check_kind(kind)?;
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyAsync(to: u64, from: u64, bytes: usize, kind: c_int, stream: Handle) {
        check_kind(kind)?;
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        submit(&stream, to, from, bytes, Form::Async)
    }

    /// Copies in a stream's order as `hipMemcpyAsync`, and waits.
    fn hipMemcpyWithStream(to: u64, from: u64, bytes: usize, kind: c_int, stream: Handle) {
        check_kind(kind)?;
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyHtoD(to: u64, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        on_device(&[to])?;
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyHtoDAsync(to: u64, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        on_device(&[to])?;
        submit(&stream, to, from, bytes, Form::Async)
    }

    fn hipMemcpyDtoH(to: u64, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        on_device(&[from])?;
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyDtoHAsync(to: u64, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        on_device(&[from])?;
        submit(&stream, to, from, bytes, Form::Async)
    }

    fn hipMemcpyDtoD(to: u64, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        on_device(&[to, from])?;
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyDtoDAsync(to: u64, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        on_device(&[to, from])?;
        submit(&stream, to, from, bytes, Form::Async)
    }

    /// Copies rows that lie apart.
    fn hipMemcpy2DAsync(
        to: u64,
        to_pitch: usize,
        from: u64,
        from_pitch: usize,
        width: usize,
        height: usize,
        kind: c_int,
        stream: Handle,
    ) {
        check_kind(kind)?;
        if width > to_pitch || width > from_pitch {
            return Err(Error::INVALID_PITCH_VALUE);
        }
        let Some(stream) = begin(stream, width)? else { return Ok(()) };
        for row in 0..height {
            let at = |first: u64, pitch: usize| {
                row.checked_mul(pitch).and_then(|offset| first.checked_add(offset as u64))
            };
            let (Some(to), Some(from)) = (at(to, to_pitch), at(from, from_pitch)) else {
                return Err(Error::INVALID_VALUE);
            };
            submit(&stream, to, from, width, Form::Async)?;
        }
        Ok(())
    }

    fn hipMemcpyPeer(to: u64, to_device: c_int, from: u64, from_device: c_int, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        check_peers(to_device, from_device)?;
        on_device(&[to, from])?;
        submit(&stream, to, from, bytes, Form::Plain)
    }

    fn hipMemcpyPeerAsync(
        to: u64,
        to_device: c_int,
        from: u64,
        from_device: c_int,
        bytes: usize,
        stream: Handle,
    ) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        check_peers(to_device, from_device)?;
        on_device(&[to, from])?;
        submit(&stream, to, from, bytes, Form::Async)
    }
}

fn check_peers(to: c_int, from: c_int) -> Result<(), Error> {
    let process = process()?;
    process.gpu(to)?.context.check()?;
    process.gpu(from)?.context.check()
}
