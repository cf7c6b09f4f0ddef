//! Temporary memory of algorithms: of the stream, or given.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, TryLockError};

use gridwright::memory::BufferParts;
use gridwright::prelude::*;

use crate::{Error, Primitives};

/// Temporary memory that calls share, one after another, so that none of them allocates.
///
/// The page of each call says how many bytes it takes. They are in parts, of which each is rounded up to a multiple of 64 bytes.
///
/// # Tiles
/// On GPUs scans, selections and what goes by keys work on tiles: of 4096 elements of up to 4 bytes, of 256 × ⌊64 / size⌋ elements of up to 64
/// bytes, and of 256 larger ones.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::Workspace;
/// use gridwright_primitives::operators::Add;
///
/// # fn main() -> Result<(), primitives::Error> {
/// let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1_u32, 2, 3])?;
/// let workspace = Workspace::for_calls(&stream, |p| p.reduce(&x, 0, Add).map(drop))?;
/// assert_eq!(primitives::on(&stream).in_workspace(&workspace).reduce(&x, 0, Add)?, 6);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `d_temp_storage` of CUB.
#[derive(Debug)]
pub struct Workspace {
    memory: Mutex<Buffer<u64>>,
    bytes: usize,
}

impl Workspace {
    /// A workspace of some bytes, rounded up to 64.
    ///
    /// # Errors
    /// [`gridwright::Error::OutOfMemory`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives::Workspace;
    /// # let stream = Device::cpu()?.stream()?;
    /// assert_eq!(Workspace::new(&stream, 1000)?.bytes(), 1024);
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    pub fn new(stream: &Stream, bytes: usize) -> Result<Self, Error> {
        let words = bytes.div_ceil(64).saturating_mul(8);
        let memory = Mutex::new(stream.alloc_unset(words)?);
        Ok(Self { memory, bytes: words * 8 })
    }

    /// A workspace for the calls that a function makes, each alone. They are looked at, and none is run: those that give a value
    /// give any.
    ///
    /// # Errors
    /// Those of the calls, and [`gridwright::Error::OutOfMemory`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives::Workspace;
    /// # use gridwright_primitives::operators::Max;
    /// # let stream = Device::cpu()?.stream()?;
    /// # let x = stream.upload(&[1_u32, 2, 3])?;
    /// let workspace = Workspace::for_calls(&stream, |p| p.reduce(&x, 0, Max).map(drop))?;
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    pub fn for_calls(
        stream: &Stream,
        calls: impl FnOnce(&Primitives<'_>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let most = Cell::new(0);
        calls(&Primitives::measuring(stream, &most))?;
        Self::new(stream, most.get())
    }

    /// The bytes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives::Workspace;
    /// # let stream = Device::cpu()?.stream()?;
    /// assert_eq!(Workspace::new(&stream, 64)?.bytes(), 64);
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Where a call's temporary memory comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory<'w> {
    /// The stream gives it.
    Stream,
    /// The user gave it.
    Given(&'w Workspace),
    /// The call isn't run: it is asked for how many bytes it needs.
    Measured(&'w Cell<usize>),
}

/// A call's temporary memory.
#[derive(Debug)]
pub(crate) enum Temporary<'w> {
    Own(Buffer<u64>),
    Given(MutexGuard<'w, Buffer<u64>>),
}

impl Temporary<'_> {
    pub(crate) fn parts(&mut self) -> BufferParts<'_> {
        match self {
            Self::Own(buffer) => buffer.typed_parts(),
            Self::Given(buffer) => buffer.typed_parts(),
        }
    }
}

/// The sum of what parts take, for [`Memory::take`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bytes(usize);

impl Bytes {
    /// The sum with `len` elements more. What no memory has is refused when it is asked for.
    pub(crate) fn and<T: KernelArg>(self, len: usize) -> Self {
        Self(self.0.saturating_add(BufferParts::bytes_of::<T>(len).unwrap_or(usize::MAX)))
    }
}

impl<'w> Memory<'w> {
    /// Memory of so many bytes; none if the call isn't run.
    pub(crate) fn take(self, stream: &Stream, Bytes(needed): Bytes) -> Result<Option<Temporary<'w>>, Error> {
        match self {
            Self::Stream => Ok(Some(Temporary::Own(stream.alloc_unset(needed.div_ceil(8))?))),
            Self::Measured(most) => {
                most.set(most.get().max(needed));
                Ok(None)
            }
            Self::Given(workspace) if workspace.bytes < needed => {
                Err(Error::Workspace { needed, given: workspace.bytes })
            }
            Self::Given(workspace) => match workspace.memory.try_lock() {
                Ok(memory) => Ok(Some(Temporary::Given(memory))),
                Err(TryLockError::Poisoned(poisoned)) => Ok(Some(Temporary::Given(poisoned.into_inner()))),
                Err(TryLockError::WouldBlock) => Err(Error::WorkspaceInUse),
            },
        }
    }
}
