//! Handles of communicators: numbers that are looked up, so wrong ones are recognised.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex};

use crate::communicator::Communicator;
use crate::error::Error;
use crate::locks::lock;

/// `ncclComm_t`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(*mut c_void);

impl Handle {
    pub(crate) const NULL: Self = Self(std::ptr::null_mut());

    pub(crate) fn is_null(self) -> bool {
        self == Self::NULL
    }
}

#[derive(Default)]
struct Known {
    last: usize,
    /// None while it starts.
    communicators: HashMap<usize, Option<Arc<Communicator>>>,
}

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// Room for a communicator that starts.
pub(crate) fn reserve() -> Handle {
    let mut known = lock(&KNOWN);
    known.last += 1;
    let number = known.last;
    known.communicators.insert(number, None);
    Handle(std::ptr::without_provenance_mut(number))
}

pub(crate) fn fill(handle: Handle, communicator: Arc<Communicator>) {
    lock(&KNOWN).communicators.insert(handle.0.addr(), Some(communicator));
}

/// Forgets a handle.
pub(crate) fn remove(handle: Handle) -> Option<Arc<Communicator>> {
    lock(&KNOWN).communicators.remove(&handle.0.addr()).flatten()
}

/// # Errors
/// If there is no such communicator, or it hasn't started.
pub(crate) fn find(handle: Handle) -> Result<Arc<Communicator>, Error> {
    if handle.is_null() {
        return Err(Error::argument("the communicator is NULL"));
    }
    match lock(&KNOWN).communicators.get(&handle.0.addr()) {
        Some(Some(communicator)) => Ok(Arc::clone(communicator)),
        Some(None) => Err(Error::argument("the communicator hasn't started: its group has no end yet")),
        None => Err(Error::argument("the communicator doesn't exist, or was destroyed")),
    }
}
