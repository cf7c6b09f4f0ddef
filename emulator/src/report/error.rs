//! Why memory, loading or a launch failed.

use super::{Finding, Report};
use crate::texture::ArrayShape;

/// Why device memory couldn't be had or reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The capacity is used up.
    #[error("out of memory: {asked} bytes asked, {free} of {capacity} free")]
    OutOfMemory {
        /// Bytes that were asked for.
        asked: u64,
        /// Bytes that are left.
        free: u64,
        /// Bytes of device memory in all.
        capacity: u64,
    },
    /// No allocation holds all of a range.
    #[error("no allocation holds the {bytes} bytes at {address:#x}")]
    OutOfBounds {
        /// Where the range begins.
        address: u64,
        /// The range's length in bytes.
        bytes: u64,
    },
    /// The range was freed before.
    #[error("the {bytes} bytes at {address:#x} were freed")]
    Freed {
        /// Where the range begins.
        address: u64,
        /// The range's length in bytes.
        bytes: u64,
    },
    /// An address that no allocation begins at.
    #[error("no allocation begins at {address:#x}")]
    NotAllocated {
        /// The address that was given.
        address: u64,
    },
    /// A shape that no array has: an extent of zero, or numbers that aren't 1, 2 or 4 integers of 8, 16 or 32 bits or floats of 16
    /// or 32.
    #[error("there is no array of {shape:?}")]
    NoArray {
        /// The shape that was asked for.
        shape: ArrayShape,
    },
    /// Host memory that can't be mapped: null, empty, or mapped already.
    #[error("the host memory of {bytes} bytes at {address:#x} can't be mapped")]
    NotMappable {
        /// The host address.
        address: u64,
        /// The memory's size in bytes.
        bytes: u64,
    },
}

/// Why a module can't be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A name that no part of the module defines.
    #[error("`{name}` is declared and nowhere defined")]
    Undefined {
        /// The function or variable.
        name: String,
    },
    /// There is no memory for its variables.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Why a launch failed, or how it ended.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The module has no such kernel.
    #[error("there is no entry `{name}`")]
    NoEntry {
        /// The name asked for.
        name: String,
    },
    /// A size that the kernel or the device doesn't allow. Nothing ran.
    #[error("`{kernel}`: {what} is {given}, and may be {allowed}")]
    Configuration {
        /// The entry that was to be launched.
        kernel: String,
        /// What is wrong.
        what: &'static str,
        /// The value that was given.
        given: String,
        /// The limit of the value.
        allowed: String,
    },
    /// A thread did what ends a launch. Other groups may have run or not.
    #[error("{finding}")]
    Fault {
        /// The thread and what it did.
        finding: Box<Finding>,
        /// What was counted, found and printed up to there.
        report: Box<Report>,
    },
    /// A host thread of the launch couldn't be started.
    #[error("a host thread couldn't be started: {0}")]
    Thread(String),
}
