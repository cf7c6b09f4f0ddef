//! Copies between host and device, and when the calls return: CUDA Driver API, "API synchronization behavior".

use std::sync::Arc;

use crate::abi::Untyped;
use crate::array::Array;
use crate::context;
use crate::copy_rows::CopyParameters;
use crate::error::Error;
use crate::host_memory::HOST_MEMORY;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::graph::{self, Task};
use crate::stream::{self, Stream};

/// Device addresses are above all of the host's.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 52;

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The host's own, which no device reaches.
    Pageable,
    /// Pinned or registered.
    Pinned,
    Managed,
    Device,
}

impl Place {
    /// Of bytes at an address.
    pub(crate) fn of(address: u64, bytes: usize) -> Self {
        if address >= FIRST_DEVICE_ADDRESS {
            return Self::Device;
        }
        match HOST_MEMORY.find(address as usize) {
            Some((start, block)) if bytes <= block.bytes - (address as usize - start) => {
                if block.is_managed() { Self::Managed } else { Self::Pinned }
            }
            _ => Self::Pageable,
        }
    }

    /// Whether plain memsets of it return when it is set.
    pub(crate) fn is_reached_by_host(self) -> bool {
        self != Self::Device
    }
}

/// Whether the call waits for what the driver's documents say it may wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Async,
}

/// Whether a copy is done when the call returns.
fn is_awaited(from: Place, to: Place, form: Form) -> bool {
    let is_plain = form == Form::Plain;
    match (from, to) {
        (_, Place::Pageable) | (Place::Pageable | Place::Pinned, Place::Pinned) => true,
        // Staged: it needn't have arrived.
        (Place::Pageable, Place::Device) | (Place::Device, Place::Device) => false,
        _ => is_plain,
    }
}

/// One side of a copy: where its rows begin.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) first: u64,
    pub(crate) pitch: u64,
    pub(crate) plane: u64,
    pub(crate) place: Place,
    /// What keeps the memory.
    pub(crate) array: Option<Arc<Array>>,
}

impl Side {
    /// One row.
    pub(crate) fn line(process: &Process, address: u64, bytes: usize) -> Result<Self, Error> {
        let place = Place::of(address, bytes);
        if address == 0 || (place != Place::Pageable && !is_covered(process, address, bytes as u64)) {
            return Err(Error::INVALID_VALUE);
        }
        Ok(Self { first: address, pitch: 0, plane: 0, place, array: None })
    }

    fn at(&self, (row, plane): (usize, usize)) -> u64 {
        self.first + row as u64 * self.pitch + plane as u64 * self.plane
    }
}

/// A copy of rows and planes.
#[derive(Clone)]
pub(crate) struct Transfer {
    pub(crate) from: Side,
    pub(crate) to: Side,
    /// Bytes of a row, rows of a plane, planes: none of them zero.
    pub(crate) size: [usize; 3],
    /// How the caller said it, if not as a row.
    pub(crate) given: Option<Arc<CopyParameters>>,
}

impl Transfer {
    /// A copy of one row.
    pub(crate) fn line(process: &Process, to: u64, from: u64, bytes: usize) -> Result<Self, Error> {
        let (from, to) = (Side::line(process, from, bytes)?, Side::line(process, to, bytes)?);
        Ok(Self { from, to, size: [bytes, 1, 1], given: None })
    }

    /// Whether it is between memory of the same kinds.
    pub(crate) fn has_places_of(&self, other: &Self) -> bool {
        let kinds = |transfer: &Self| {
            let kind = |side: &Side| (side.place, side.array.is_some());
            (kind(&transfer.from), kind(&transfer.to))
        };
        kinds(self) == kinds(other)
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [_, height, depth] = self.size;
        (0..depth).flat_map(move |plane| (0..height).map(move |row| (row, plane)))
    }

    /// What pageable memory has now, row by row.
    ///
    /// # Safety
    /// The memory is the program's, with each row of the source in it.
    unsafe fn stage(&self) -> Vec<u8> {
        let [width, height, depth] = self.size;
        let mut staged = Vec::with_capacity(width * height * depth);
        for place in self.places() {
            let address = std::ptr::with_exposed_provenance::<u8>(self.from.at(place) as usize);
            // SAFETY: the row is there, as this function asks, and nobody writes it now, as the program said.
            staged.extend_from_slice(unsafe { std::slice::from_raw_parts(address, width) });
        }
        staged
    }

    /// Copies. Pageable memory that is a source was staged, unless a graph makes the copy.
    ///
    /// # Safety
    /// Pageable memory is still there: the call that it was given to hasn't returned, or the program keeps it for a graph.
    pub(crate) unsafe fn copy(&self, process: &Process, staged: Option<&[u8]>) -> Result<(), Error> {
        let _running = read(&process.running);
        let emulator = &process.emulator;
        let width = self.size[0];
        let own;
        let staged = match staged {
            None if self.from.place == Place::Pageable => {
                // SAFETY: the memory is still there, as this function asks.
                own = unsafe { self.stage() };
                Some(own.as_slice())
            }
            staged => staged,
        };
        for (index, place) in self.places().enumerate() {
            let (from, to) = (self.from.at(place), self.to.at(place));
            let row = staged.and_then(|staged| staged.get(index * width..(index + 1) * width));
            let copied = if self.to.place == Place::Pageable {
                let address = std::ptr::with_exposed_provenance_mut::<u8>(to as usize);
                // SAFETY: the row is there, as this function asks, and the copy's alone, as the program said.
                let target = unsafe { std::slice::from_raw_parts_mut(address, width) };
                match row {
                    Some(row) => {
                        target.copy_from_slice(row);
                        Ok(())
                    }
                    None => emulator.read(from, target),
                }
            } else {
                match row {
                    Some(row) => emulator.write(to, row),
                    None => emulator.copy(from, to, width as u64),
                }
            };
            copied.map_err(|_| Error::ILLEGAL_ADDRESS)?;
        }
        Ok(())
    }

    /// Copies when the stream comes to it, and returns when the documents say so.
    pub(crate) fn submit(self, stream: &Stream, form: Form) -> Result<(), Error> {
        let process = process()?;
        if let Some(capture) = stream.captured() {
            return match form {
                Form::Plain => Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)),
                Form::Async => graph::capture(&capture, stream, Task::Copy(self)),
            };
        }
        let is_awaited = is_awaited(self.from.place, self.to.place, form);
        let staged = if self.from.place == Place::Pageable {
            if form == Form::Plain {
                stream.synchronize()?;
            }
            // SAFETY: the call hasn't returned.
            Some(unsafe { self.stage() })
        } else {
            None
        };
        // SAFETY: pageable memory is staged where it is a source, and waited for below where it is a target.
        let copied = stream.submit(Work::run(move || unsafe { self.copy(process, staged.as_deref()) }))?;
        if is_awaited {
            copied.wait();
        }
        stream.context.check()
    }
}

/// What of the two addresses has to be a device's: the call's name says so.
#[derive(Clone, Copy)]
enum Sides {
    ToDevice,
    FromDevice,
    OnDevice,
    Any,
}

fn copy(to: u64, from: u64, bytes: usize, stream: Handle, form: Form, sides: Sides) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    if bytes == 0 {
        return Ok(());
    }
    let transfer = Transfer::line(process()?, to, from, bytes)?;
    let is_wrong = |side: &Side| side.place == Place::Pageable;
    let (to_wrong, from_wrong) = (is_wrong(&transfer.to), is_wrong(&transfer.from));
    let refused = match sides {
        Sides::ToDevice => to_wrong,
        Sides::FromDevice => from_wrong,
        Sides::OnDevice => to_wrong || from_wrong,
        Sides::Any => false,
    };
    if refused { Err(Error::INVALID_VALUE) } else { transfer.submit(&stream, form) }
}

driver! {
    fn cuMemcpyHtoD_v2[ptds](to: u64, from: Untyped, bytes: usize) {
        copy(to, from.address() as u64, bytes, Handle::NULL, Form::Plain, Sides::ToDevice)
    }

    fn cuMemcpyHtoDAsync_v2[ptsz](to: u64, from: Untyped, bytes: usize, stream: Handle) {
        copy(to, from.address() as u64, bytes, stream, Form::Async, Sides::ToDevice)
    }

    fn cuMemcpyDtoH_v2[ptds](to: Untyped, from: u64, bytes: usize) {
        copy(to.address() as u64, from, bytes, Handle::NULL, Form::Plain, Sides::FromDevice)
    }

    fn cuMemcpyDtoHAsync_v2[ptsz](to: Untyped, from: u64, bytes: usize, stream: Handle) {
        copy(to.address() as u64, from, bytes, stream, Form::Async, Sides::FromDevice)
    }

    /// Doesn't wait where nothing of the host's takes part.
    fn cuMemcpyDtoD_v2[ptds](to: u64, from: u64, bytes: usize) {
        copy(to, from, bytes, Handle::NULL, Form::Plain, Sides::OnDevice)
    }

    fn cuMemcpyDtoDAsync_v2[ptsz](to: u64, from: u64, bytes: usize, stream: Handle) {
        copy(to, from, bytes, stream, Form::Async, Sides::OnDevice)
    }

    fn cuMemcpy[ptds](to: u64, from: u64, bytes: usize) {
        copy(to, from, bytes, Handle::NULL, Form::Plain, Sides::Any)
    }

    fn cuMemcpyAsync[ptsz](to: u64, from: u64, bytes: usize, stream: Handle) {
        copy(to, from, bytes, stream, Form::Async, Sides::Any)
    }

    fn cuMemcpyPeer[ptds](to: u64, to_context: Handle, from: u64, from_context: Handle, bytes: usize) {
        context::find(to_context)?.check()?;
        context::find(from_context)?.check()?;
        copy(to, from, bytes, Handle::NULL, Form::Plain, Sides::OnDevice)
    }

    fn cuMemcpyPeerAsync[ptsz](
        to: u64,
        to_context: Handle,
        from: u64,
        from_context: Handle,
        bytes: usize,
        stream: Handle,
    ) {
        context::find(to_context)?.check()?;
        context::find(from_context)?.check()?;
        copy(to, from, bytes, stream, Form::Async, Sides::OnDevice)
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Place, is_awaited};

    /// The table of CUDA's page.
    #[test]
    fn copies_are_awaited_where_the_documents_say_so() {
        use Place::{Device, Managed, Pageable, Pinned};
        let awaited = |from, to| (is_awaited(from, to, Form::Plain), is_awaited(from, to, Form::Async));
        assert_eq!(awaited(Pageable, Device), (false, false), "staged");
        assert_eq!(awaited(Pinned, Device), (true, false));
        assert_eq!(awaited(Device, Pageable), (true, true));
        assert_eq!(awaited(Device, Pinned), (true, false));
        assert_eq!(awaited(Device, Device), (false, false));
        for from in [Pageable, Pinned] {
            for to in [Pageable, Pinned] {
                assert_eq!(awaited(from, to), (true, true), "host to host");
            }
        }
        for other in [Device, Pinned, Managed] {
            assert_eq!(awaited(Managed, other), (true, false));
            assert_eq!(awaited(other, Managed), (true, false));
        }
    }
}
