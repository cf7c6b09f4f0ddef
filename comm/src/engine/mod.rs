//! What moves bytes between ranks.
//!
//! | module | what it is |
//! |---|---|
//! | `alone` | a world of one rank: copies |
//! | `mpi` | Open MPI, on the host's memory |
//! | `nccl` | NCCL and RCCL, on devices' memory |
//! | `choice` | which of them a communicator takes |

mod alone;
mod choice;
pub(crate) mod mpi;
pub(crate) mod nccl;

use std::ffi::c_void;
use std::fmt::{self, Debug};

pub(crate) use alone::Alone;
pub(crate) use choice::{Choice, choose};

use crate::call::Call;
use crate::control::Trouble;
use crate::element::Number;

/// The library that moves a communicator's bytes.
///
/// ```
/// use gridwright_comm::{EngineKind, World};
///
/// let world = World::from_env()?;
/// let communicator = world.communicator(&world.device()?)?;
/// if world.size() == 1 {
///     assert_eq!(communicator.engine(), EngineKind::None);
/// }
/// # Ok::<(), gridwright_comm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineKind {
    /// No library: one rank has nobody to talk to.
    None,
    /// Open MPI, on the host's memory.
    Mpi,
    /// NVIDIA's library, on the memory of its GPUs.
    Nccl,
    /// AMD's library, on the memory of its GPUs.
    Rccl,
}

impl EngineKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "no engine",
            Self::Mpi => "MPI",
            Self::Nccl => "NCCL",
            Self::Rccl => "RCCL",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An engine that works on the host's memory. Ranks, lengths and types are right when it is called.
pub(crate) trait HostEngine: Debug + Send + Sync {
    fn kind(&self) -> EngineKind;

    /// Elements of this size that a call can have, at most.
    fn most_elements(&self, bytes: usize) -> usize;

    /// A collective call. Without input the output is both. `number` is what elements are, where they are reduced.
    fn collective(
        &self,
        call: &Call,
        number: Option<Number>,
        input: Option<&[u8]>,
        output: &mut [u8],
    ) -> Result<(), Trouble>;

    /// Messages to ranks and from ranks, all of them under way at once.
    fn exchange(&self, sends: &[(usize, &[u8])], receives: &mut [(usize, &mut [u8])]) -> Result<(), Trouble>;

    /// A message to a rank.
    fn send(&self, bytes: &[u8], to: usize) -> Result<(), Trouble> {
        self.exchange(&[(to, bytes)], &mut [])
    }

    /// A message from a rank.
    fn receive(&self, bytes: &mut [u8], from: usize) -> Result<(), Trouble> {
        self.exchange(&[], &mut [(from, bytes)])
    }
}

/// An engine that gives a driver's streams work on devices' memory. Ranks, lengths and types are right when it is called.
pub(crate) trait DeviceEngine: Debug + Send + Sync {
    fn kind(&self) -> EngineKind;

    /// A collective call. Without input the output is both. `number` is what elements are, where they are reduced.
    ///
    /// # Safety
    /// The addresses are of memory of the engine's device, which the stream's work may use until it is done, and which it alone uses if it
    /// writes there. The stream is one of that device, which is current.
    unsafe fn collective(
        &self,
        call: &Call,
        number: Option<Number>,
        input: Option<*const [u8]>,
        output: *mut [u8],
        stream: *mut c_void,
    ) -> Result<(), Trouble>;

    /// Messages to ranks and from ranks, all of them under way at once.
    ///
    /// # Safety
    /// That of [`collective`](Self::collective).
    unsafe fn exchange(
        &self,
        sends: &[(usize, *const [u8])],
        receives: &[(usize, *mut [u8])],
        stream: *mut c_void,
    ) -> Result<(), Trouble>;
}

/// The engine of a communicator.
#[derive(Debug)]
pub(crate) enum Engine {
    Host(Box<dyn HostEngine>),
    Device(Box<dyn DeviceEngine>),
}

impl Engine {
    pub(crate) fn kind(&self) -> EngineKind {
        match self {
            Self::Host(engine) => engine.kind(),
            Self::Device(engine) => engine.kind(),
        }
    }

    /// Elements of so many bytes that a call can have, at most.
    pub(crate) fn most_elements(&self, bytes: usize) -> usize {
        match self {
            Self::Host(engine) => engine.most_elements(bytes),
            // It counts in `size_t`.
            Self::Device(_) => usize::MAX,
        }
    }
}
