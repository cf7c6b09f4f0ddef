//! What ranks and the hub say to each other: a line of JSON each.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::call::{Call, Message};

/// What a rank says to the hub.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToHub {
    /// First of all: who it is. The token is the world's, so that nobody else's connection is taken for a rank's.
    Hello { token: u64, rank: usize },
    /// It enters a collective call of a communicator, and waits for so many milliseconds.
    Enter { communicator: u32, ticket: u64, call: Call, limit: u64 },
    /// It enters a group of messages of a communicator.
    Exchange { communicator: u32, ticket: u64, messages: Vec<Message>, limit: u64 },
    /// Others may ask for these bytes.
    Put { key: String, bytes: Vec<u8> },
    /// It asks for another's bytes, once they are there.
    Get { key: String },
    /// It failed in a call that others may wait in.
    Failed { communicator: u32, trouble: Trouble },
    /// It ends, and this isn't a fault.
    Leave,
}

/// What the hub says to a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum FromHub {
    /// All ranks are there.
    Started,
    /// All ranks that it waited for in a call have come, or what is wrong.
    Verdict { ticket: u64, trouble: Option<Trouble> },
    /// Bytes that it asked for.
    Value { key: String, bytes: Vec<u8> },
    /// A communicator can't be used any more.
    Broken { communicator: u32, trouble: Trouble },
    /// A rank ended, and others may wait for it.
    Died { trouble: Trouble },
}

/// What went wrong among ranks, as all of them get it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Trouble {
    Mismatch { one: usize, call: String, other: usize, other_call: String },
    Missing { call: String, missing: Vec<usize>, seconds: f64 },
    Died { dead: usize, how: String },
    Engine { engine: String, call: String, message: String },
    Control { what: String },
}

impl Trouble {
    /// The error that a rank says.
    pub(crate) fn at(self, rank: usize) -> Error {
        match self {
            Self::Mismatch { one, call, other, other_call } => {
                Error::Mismatch { rank, one, call, other, other_call }
            }
            Self::Missing { call, missing, seconds } => Error::Missing { rank, call, missing, seconds },
            Self::Died { dead, how } => Error::Died { rank, dead, how },
            Self::Engine { engine, call, message } => Error::Engine { rank, engine, call, message },
            Self::Control { what } => Error::Control { what },
        }
    }
}
