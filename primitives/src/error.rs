use thiserror::Error as ThisError;

/// What can go wrong in an algorithm. Nothing was launched then, and nothing is lost.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Error, Input};
///
/// let stream = Device::cpu()?.stream()?;
/// let (x, y) = (stream.upload(&[1, 2, 3])?, stream.upload(&[1, 2])?);
/// let error = x.zip(&y).len().unwrap_err();
/// assert!(matches!(error, Error::Lengths { expected: 3, given: 2, .. }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Two lengths differ that must be equal.
    #[error("{what} has {given} elements where there must be {expected}")]
    Lengths {
        /// What has the other length.
        what: &'static str,
        /// The elements that there must be.
        expected: usize,
        /// The elements that there are.
        given: usize,
    },
    /// An input has no end: it is made of numbers alone.
    #[error("an input of numbers alone has no end: `take` the first of them")]
    Endless,
    /// A given workspace is too small.
    #[error(
        "the workspace has {given} bytes, and the call needs {needed}: `Workspace::for_calls` says how many before"
    )]
    Workspace {
        /// The bytes that the call needs.
        needed: usize,
        /// The bytes that the workspace has.
        given: usize,
    },
    /// A given workspace is another call's at this moment.
    #[error("the workspace is in use by another thread's call: give each thread one of its own")]
    WorkspaceInUse,
    /// An index isn't below the number of elements.
    #[error("the index at {at} isn't below {len}")]
    Index {
        /// The place of the first such index.
        at: u64,
        /// The elements.
        len: usize,
    },
    /// An index is there twice that must be there once.
    #[error("index {index} is there twice: the indices are no permutation")]
    Repeated {
        /// The index.
        index: u64,
    },
    /// A number of elements, bins or groups is beyond what the algorithm counts.
    #[error("{what}: {given} is beyond {most}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there can be.
        most: usize,
    },
    /// What a launch, a copy or an allocation can get wrong.
    #[error(transparent)]
    Gridwright(#[from] gridwright::Error),
}
