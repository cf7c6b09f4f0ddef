//! What moves bytes between ranks.
//!
//! | module | what it is |
//! |---|---|
//! | `alone` | a world of one rank: copies |
//! | `mpi` | Open MPI, on the host's memory |

mod alone;
pub(crate) mod mpi;
// mod nccl;

use std::fmt::{self, Debug};

pub(crate) use alone::Alone;

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
}

impl EngineKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "no engine",
            Self::Mpi => "MPI",
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
}
