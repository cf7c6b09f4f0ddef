use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::Error;

/// The first failed launch that nobody was told of yet.
#[derive(Debug, Default)]
pub(super) struct Failure {
    /// Whether there is one: each call that waits asks, and few launches fail.
    is_any: AtomicBool,
    first: Mutex<Option<Error>>,
}

impl Failure {
    /// Keeps an error, or counts it where a panic is kept.
    pub(super) fn add(&self, error: Error) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *first, error) {
            (Some(Error::KernelPanic { others, .. }), Error::KernelPanic { .. }) => *others += 1,
            (Some(_), _) => {}
            (none, error) => *none = Some(error),
        }
        self.is_any.store(true, Ordering::Release);
    }

    /// # Errors
    /// The first that was added since the last call.
    pub(super) fn take(&self) -> Result<(), Error> {
        if !self.is_any.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_any.store(false, Ordering::Relaxed);
        first.take().map_or(Ok(()), Err)
    }
}
