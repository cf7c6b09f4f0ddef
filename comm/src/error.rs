use thiserror::Error as ThisError;

use crate::PartitionError;

/// What can go wrong among ranks. The message names the rank that says it, and those that it is about.
///
/// ```
/// use gridwright_comm::{Error, World};
///
/// let world = World::from_env()?;
/// let device = world.device()?;
/// let stream = device.stream()?;
/// let mut x = stream.alloc_zeroed::<u32>(4)?;
/// let error = world.communicator(&device)?.broadcast(&stream, &mut x, 99).unwrap_err();
/// assert!(matches!(error, Error::NoSuchRank { given: 99, .. }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A call of Gridwright's failed.
    #[error(transparent)]
    Gridwright(#[from] gridwright::Error),
    /// An array can't be divided so.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// An environment variable has a value that means nothing.
    #[error("{variable} is `{value}`, and must be {expected}")]
    Environment {
        /// The variable's name.
        variable: &'static str,
        /// What it is.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
    /// A library isn't there.
    #[error("{engine} isn't there: {reason}; {install}")]
    EngineMissing {
        /// The engine that the library is of.
        engine: &'static str,
        /// What the system says of each name that was tried.
        reason: String,
        /// What to install.
        install: &'static str,
    },
    /// A library is there, but isn't one that this crate knows.
    #[error("{engine} can't be used: {reason}")]
    EngineUnknown {
        /// The engine that the library is of.
        engine: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// No engine moves bytes between such devices in such a world.
    #[error("rank {rank}: no engine for {kind} devices: {reason}")]
    NoEngine {
        /// The rank that says it.
        rank: usize,
        /// The kind of the devices.
        kind: String,
        /// What to do.
        reason: &'static str,
    },
    /// There are more ranks on a machine than devices of a kind.
    #[error(
        "rank {rank}: {ranks} ranks run on this machine, and it has {devices} {kind} devices: start at most as many ranks"
    )]
    TooManyRanks {
        /// The rank that says it.
        rank: usize,
        /// Ranks on the machine.
        ranks: usize,
        /// Devices of the kind there.
        devices: usize,
        /// The kind of the devices.
        kind: String,
    },
    /// The process has, or had, a world. MPI is started once.
    #[error("the process has a world already, or had one: keep the first")]
    SecondWorld,
    /// A rank that doesn't exist.
    #[error("rank {rank}: `{call}` with rank {given}, and there are ranks 0 to {}", .size.saturating_sub(1))]
    NoSuchRank {
        /// The rank that says it.
        rank: usize,
        /// The method that was called.
        call: &'static str,
        /// The rank that was given.
        given: usize,
        /// The number of ranks.
        size: usize,
    },
    /// Two lengths don't fit each other.
    #[error("rank {rank}: `{call}` {what} has {given} elements where there must be {expected}")]
    Lengths {
        /// The rank that says it.
        rank: usize,
        /// The method that was called.
        call: &'static str,
        /// What has the other length.
        what: &'static str,
        /// The elements that there must be.
        expected: usize,
        /// The elements that there are.
        given: usize,
    },
    /// More elements than an engine counts.
    #[error("rank {rank}: `{call}` of {given} elements, and {engine} counts to {most}: make several calls")]
    TooManyElements {
        /// The rank that says it.
        rank: usize,
        /// The method that was called.
        call: &'static str,
        /// The engine.
        engine: &'static str,
        /// The elements that were given.
        given: usize,
        /// The most that there can be.
        most: usize,
    },
    /// Ranks called different things. Every rank gets this error.
    #[error(
        "rank {rank}: ranks called different things: rank {one} called {call}, and rank {other} called {other_call}"
    )]
    Mismatch {
        /// The rank that says it.
        rank: usize,
        /// One of the ranks.
        one: usize,
        /// What it called.
        call: String,
        /// Another of the ranks.
        other: usize,
        /// What that one called.
        other_call: String,
    },
    /// Ranks didn't call what others waited in, within the time limit.
    #[error("rank {rank}: waited {seconds:.1} s in {call} for {}", ranks(.missing))]
    Missing {
        /// The rank that says it.
        rank: usize,
        /// What it called.
        call: String,
        /// The ranks that didn't come.
        missing: Vec<usize>,
        /// How long it waited.
        seconds: f64,
    },
    /// A rank ended while others needed it.
    #[error("rank {rank}: rank {dead} ended before the others: {how}")]
    Died {
        /// The rank that says it.
        rank: usize,
        /// The rank that ended.
        dead: usize,
        /// How it was seen.
        how: String,
    },
    /// An engine's call failed.
    #[error("rank {rank}: {engine}: `{call}`: {message}")]
    Engine {
        /// The rank that says it.
        rank: usize,
        /// The engine.
        engine: String,
        /// The call that failed.
        call: String,
        /// What the engine says.
        message: String,
    },
    /// The connection of the ranks, by which they find and check each other, failed.
    #[error("the ranks' connection: {what}")]
    Control {
        /// What failed.
        what: String,
    },
    /// A call that a graph can't have.
    #[error("rank {rank}: a graph can't have `{call}` by {engine}: call it on a stream that isn't captured")]
    NotForGraphs {
        /// The rank that says it.
        rank: usize,
        /// The method that was called.
        call: &'static str,
        /// The engine.
        engine: &'static str,
    },
    /// A stream of another device than the communicator's.
    #[error("rank {rank}: a stream of `{stream_device}` in a call of a communicator of `{device}`")]
    ForeignStream {
        /// The rank that says it.
        rank: usize,
        /// The stream's device.
        stream_device: String,
        /// The communicator's device.
        device: String,
    },
}

/// Ranks, for people.
fn ranks(ranks: &[usize]) -> String {
    let names: Vec<_> = ranks.iter().map(usize::to_string).collect();
    if ranks.len() == 1 { format!("rank {}", names.concat()) } else { format!("ranks {}", names.join(", ")) }
}
