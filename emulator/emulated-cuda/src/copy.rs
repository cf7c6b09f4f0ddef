//! Copies between host and device.

use crate::abi::Untyped;
use crate::context;
use crate::error::Error;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream::{self, Stream};

/// Device addresses are above all of the host's.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 52;

/// Host memory of the program: valid for the copy that it is given to, as `cuda.h` demands.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    address: usize,
    bytes: usize,
}

impl Host {
    pub(crate) fn new(address: usize, bytes: usize) -> Result<Self, Error> {
        if address == 0 { Err(Error::INVALID_VALUE) } else { Ok(Self { address, bytes }) }
    }

    /// Memory that isn't is copied from or to before the call returns.
    fn is_pinned(self, process: &Process) -> bool {
        process.host_memory.is_covered(self.address, self.bytes)
    }

    /// # Safety
    /// The memory is there: the call that it was given to hasn't returned, or it is pinned, and `running` is held.
    pub(crate) unsafe fn read<'m>(self) -> &'m [u8] {
        // SAFETY: the memory is there, as this function asks, with so many bytes that nobody writes now, as the program said.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(self.address), self.bytes) }
    }

    /// # Safety
    /// As `read`.
    pub(crate) unsafe fn write<'m>(self) -> &'m mut [u8] {
        // SAFETY: the memory is there, as this function asks, with so many bytes, which are the call's alone, as the program said.
        unsafe {
            std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(self.address), self.bytes)
        }
    }

    /// Does something while the memory can't go away, or fails if it isn't pinned any more.
    fn while_pinned(self, process: &Process, work: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let _running = read(&process.running);
        if self.is_pinned(process) { work() } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

/// Whether the call waits for what the driver's documents say it may wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Async,
}

/// Pageable memory is staged: it can change once the call has returned, and the copy still has to come.
fn to_device(stream: &Stream, to: u64, from: Host, form: Form) -> Result<(), Error> {
    let process = process()?;
    if !is_covered(process, to, from.bytes as u64) {
        return Err(Error::INVALID_VALUE);
    }
    let emulator = &process.emulator;
    if from.is_pinned(process) {
        let copied = stream.submit(Work::run(move || {
            from.while_pinned(process, || {
                // SAFETY: pinned, and `running` is held.
                emulator.write(to, unsafe { from.read() }).map_err(|_| Error::ILLEGAL_ADDRESS)
            })
        }))?;
        if form == Form::Plain {
            copied.wait();
        }
    } else {
        if form == Form::Plain {
            stream.synchronize(process)?;
        }
        // SAFETY: the call hasn't returned.
        let staged = unsafe { from.read() }.to_vec();
        stream.submit(Work::run(move || {
            let _running = read(&process.running);
            emulator.write(to, &staged).map_err(|_| Error::ILLEGAL_ADDRESS)
        }))?;
    }
    stream.context.check()
}

/// Returns when it is done, unless the memory is pinned and the call asynchronous.
fn to_host(stream: &Stream, to: Host, from: u64, form: Form) -> Result<(), Error> {
    let process = process()?;
    if !is_covered(process, from, to.bytes as u64) {
        return Err(Error::INVALID_VALUE);
    }
    let emulator = &process.emulator;
    let is_pinned = to.is_pinned(process);
    let copied = stream.submit(Work::run(move || {
        let copy = || {
            // SAFETY: pinned, and `running` is held; or the call is waiting below.
            emulator.read(from, unsafe { to.write() }).map_err(|_| Error::ILLEGAL_ADDRESS)
        };
        if is_pinned {
            return to.while_pinned(process, copy);
        }
        let _running = read(&process.running);
        copy()
    }))?;
    if form == Form::Plain || !is_pinned {
        copied.wait();
    }
    stream.context.check()
}

/// Doesn't wait, in either form.
fn on_device(stream: &Stream, to: u64, from: u64, bytes: usize) -> Result<(), Error> {
    let process = process()?;
    let bytes = bytes as u64;
    if !is_covered(process, to, bytes) || !is_covered(process, from, bytes) {
        return Err(Error::INVALID_VALUE);
    }
    let emulator = &process.emulator;
    stream.submit(Work::run(move || {
        let _running = read(&process.running);
        emulator.copy(from, to, bytes).map_err(|_| Error::ILLEGAL_ADDRESS)
    }))?;
    Ok(())
}

/// Copies between two addresses that say themselves where they are.
fn anywhere(stream: &Stream, to: u64, from: u64, bytes: usize, form: Form) -> Result<(), Error> {
    match (to >= FIRST_DEVICE_ADDRESS, from >= FIRST_DEVICE_ADDRESS) {
        (true, true) => on_device(stream, to, from, bytes),
        (true, false) => to_device(stream, to, Host::new(from as usize, bytes)?, form),
        (false, true) => to_host(stream, Host::new(to as usize, bytes)?, from, form),
        (false, false) => {
            let (to, from) = (Host::new(to as usize, bytes)?, Host::new(from as usize, bytes)?);
            let copied = stream.submit(Work::run(move || {
                // The program may have given overlapping memory.
                // SAFETY: the call is waiting below.
                let staged = unsafe { from.read() }.to_vec();
                // SAFETY: the call is waiting below, and nothing refers to what was read.
                unsafe { to.write() }.copy_from_slice(&staged);
                Ok(())
            }))?;
            copied.wait();
            stream.context.check()
        }
    }
}

/// What a driver refuses when a copy is made part of a graph.
pub(crate) fn check(process: &Process, to: u64, from: u64, bytes: usize) -> Result<(), Error> {
    let is_fine = |address: u64| {
        if address >= FIRST_DEVICE_ADDRESS {
            is_covered(process, address, bytes as u64)
        } else {
            address != 0
        }
    };
    if is_fine(to) && is_fine(from) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// A copy that a graph makes. The program keeps the host's memory until the graph has run.
pub(crate) fn at_once(process: &Process, to: u64, from: u64, bytes: usize) -> Result<(), Error> {
    let emulator = &process.emulator;
    let _running = read(&process.running);
    let copied = match (to >= FIRST_DEVICE_ADDRESS, from >= FIRST_DEVICE_ADDRESS) {
        (true, true) => emulator.copy(from, to, bytes as u64),
        // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands.
        (true, false) => emulator.write(to, unsafe { Host::new(from as usize, bytes)?.read() }),
        // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands.
        (false, true) => emulator.read(from, unsafe { Host::new(to as usize, bytes)?.write() }),
        (false, false) => {
            // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands; the two may overlap.
            let staged = unsafe { Host::new(from as usize, bytes)?.read() }.to_vec();
            // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands; nothing refers to what was read.
            unsafe { Host::new(to as usize, bytes)?.write() }.copy_from_slice(&staged);
            Ok(())
        }
    };
    copied.map_err(|_| Error::ILLEGAL_ADDRESS)
}

/// The stream, or none if there is nothing to copy.
fn begin(stream: Handle, bytes: usize) -> Result<Option<std::sync::Arc<Stream>>, Error> {
    let stream = stream::find(stream)?;
    Ok((bytes > 0).then_some(stream))
}

driver! {
    fn cuMemcpyHtoD_v2(to: u64, from: Untyped, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        to_device(&stream, to, Host::new(from.address(), bytes)?, Form::Plain)
    }

    fn cuMemcpyHtoDAsync_v2(to: u64, from: Untyped, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        to_device(&stream, to, Host::new(from.address(), bytes)?, Form::Async)
    }

    fn cuMemcpyDtoH_v2(to: Untyped, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        to_host(&stream, Host::new(to.address(), bytes)?, from, Form::Plain)
    }

    fn cuMemcpyDtoHAsync_v2(to: Untyped, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        to_host(&stream, Host::new(to.address(), bytes)?, from, Form::Async)
    }

    /// Doesn't wait: nothing of the host's takes part.
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        on_device(&stream, to, from, bytes)
    }

    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        on_device(&stream, to, from, bytes)
    }

    fn cuMemcpy(to: u64, from: u64, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        anywhere(&stream, to, from, bytes, Form::Plain)
    }

    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        anywhere(&stream, to, from, bytes, Form::Async)
    }

    fn cuMemcpyPeer(to: u64, to_context: Handle, from: u64, from_context: Handle, bytes: usize) {
        let Some(stream) = begin(Handle::NULL, bytes)? else { return Ok(()) };
        context::find(to_context)?.check()?;
        context::find(from_context)?.check()?;
        on_device(&stream, to, from, bytes)
    }

    fn cuMemcpyPeerAsync(to: u64, to_context: Handle, from: u64, from_context: Handle, bytes: usize, stream: Handle) {
        let Some(stream) = begin(stream, bytes)? else { return Ok(()) };
        context::find(to_context)?.check()?;
        context::find(from_context)?.check()?;
        on_device(&stream, to, from, bytes)
    }
}
