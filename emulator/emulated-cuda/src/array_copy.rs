//! Copies of one row with arrays, whose texels lie one behind the other.

use crate::abi::Untyped;
use crate::array;
use crate::copy::{Form, Place, Side, Transfer};
use crate::error::Error;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::stream;

/// One side of a copy.
#[derive(Clone, Copy)]
enum End {
    /// In an array, at so many bytes.
    Array(Handle, usize),
    Device(u64),
    Host(Untyped),
}

impl End {
    fn side(self, process: &Process, bytes: usize) -> Result<Side, Error> {
        match self {
            Self::Array(handle, offset) => {
                let array = array::find(handle)?;
                let all = array.texels.shape().bytes().ok_or(Error::INVALID_VALUE)?;
                let end = (offset as u64).checked_add(bytes as u64);
                if end.is_none_or(|end| end > all) {
                    return Err(Error::INVALID_VALUE);
                }
                let first = array.texels.address() + offset as u64;
                Ok(Side { first, pitch: 0, plane: 0, place: Place::Device, array: Some(array) })
            }
            Self::Device(address) => match Side::line(process, address, bytes)? {
                side if side.place == Place::Pageable => Err(Error::INVALID_VALUE),
                side => Ok(side),
            },
            Self::Host(memory) => Side::line(process, memory.address() as u64, bytes),
        }
    }
}

fn copy(to: End, from: End, bytes: usize, stream: Handle, form: Form) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    if bytes == 0 {
        return Ok(());
    }
    let process = process()?;
    let (from, to) = (from.side(process, bytes)?, to.side(process, bytes)?);
    Transfer { from, to, size: [bytes, 1, 1], given: None }.submit(&stream, form)
}

driver! {
    fn cuMemcpyHtoA_v2[ptds](to: Handle, offset: usize, from: Untyped, bytes: usize) {
        copy(End::Array(to, offset), End::Host(from), bytes, Handle::NULL, Form::Plain)
    }

    fn cuMemcpyHtoAAsync_v2[ptsz](to: Handle, offset: usize, from: Untyped, bytes: usize, stream: Handle) {
        copy(End::Array(to, offset), End::Host(from), bytes, stream, Form::Async)
    }

    fn cuMemcpyAtoH_v2[ptds](to: Untyped, from: Handle, offset: usize, bytes: usize) {
        copy(End::Host(to), End::Array(from, offset), bytes, Handle::NULL, Form::Plain)
    }

    fn cuMemcpyAtoHAsync_v2[ptsz](to: Untyped, from: Handle, offset: usize, bytes: usize, stream: Handle) {
        copy(End::Host(to), End::Array(from, offset), bytes, stream, Form::Async)
    }

    fn cuMemcpyDtoA_v2[ptds](to: Handle, offset: usize, from: u64, bytes: usize) {
        copy(End::Array(to, offset), End::Device(from), bytes, Handle::NULL, Form::Plain)
    }

    fn cuMemcpyAtoD_v2[ptds](to: u64, from: Handle, offset: usize, bytes: usize) {
        copy(End::Device(to), End::Array(from, offset), bytes, Handle::NULL, Form::Plain)
    }

    fn cuMemcpyAtoA_v2[ptds](to: Handle, to_offset: usize, from: Handle, from_offset: usize, bytes: usize) {
        copy(End::Array(to, to_offset), End::Array(from, from_offset), bytes, Handle::NULL, Form::Plain)
    }
}
