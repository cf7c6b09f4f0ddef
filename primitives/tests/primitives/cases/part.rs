//! Parts of buffers, which inputs are and outputs.

use std::fmt::Debug;

use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use super::case::Case;

/// A part of a buffer: what is around it, nobody writes.
pub(crate) struct Part<T> {
    buffer: Buffer<T>,
    host: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: KernelArg + Debug> Part<T> {
    /// A part with these elements.
    pub(crate) fn of(case: &mut Case<'_>, elements: &[T]) -> Self {
        let is_whole = case.once_in(2);
        let [first, behind] = [(); 2].map(|()| if is_whole { 0 } else { case.below(9) as usize });
        if !is_whole {
            case.note(format_args!("a part from {first} of {}", first + elements.len() + behind));
        }
        let host = [&vec![sign(); first], elements, &vec![sign(); behind]].concat();
        Self { buffer: case.stream.upload(&host).unwrap(), host, first, len: elements.len() }
    }

    /// A part for so many elements.
    pub(crate) fn with_room(case: &mut Case<'_>, len: usize) -> Self {
        Self::of(case, &vec![sign(); len])
    }

    pub(crate) fn view(&self) -> BufferSlice<'_, T> {
        self.buffer.slice(self.first..self.first + self.len).unwrap()
    }

    pub(crate) fn view_mut(&mut self) -> BufferSliceMut<'_, T> {
        self.buffer.slice_mut(self.first..self.first + self.len).unwrap()
    }

    /// Compares the first elements, and all others with what they were.
    pub(crate) fn check(&self, case: &Case<'_>, what: &str, expected: &[T]) {
        let found = case.stream.download(&self.buffer).unwrap();
        let end = self.first + expected.len();
        case.compare(what, &found[self.first..end], expected);
        case.compare(&format!("{what}: before it"), &found[..self.first], &self.host[..self.first]);
        case.compare(&format!("{what}: behind it"), &found[end..], &self.host[end..]);
    }
}

/// What stands where nothing was written.
fn sign<T: KernelArg>() -> T {
    bytemuck::pod_read_unaligned(&vec![0xa5; size_of::<T>()])
}
