//! The error that stays: each call answers it, and nothing that is queued runs.

use std::sync::atomic::{AtomicI32, Ordering};

use crate::error::Error;

/// The error that stays in a context, if there is one.
#[derive(Debug, Default)]
pub struct Fault(AtomicI32);

impl Fault {
    /// The error.
    pub fn get(&self) -> Option<Error> {
        Error::from_code(self.0.load(Ordering::Acquire))
    }

    /// Nothing, as long as no error stays.
    ///
    /// # Errors
    /// The one that stays.
    pub fn check(&self) -> Result<(), Error> {
        self.get().map_or(Ok(()), Err)
    }

    /// The first error stays.
    pub fn set(&self, error: Error) {
        let _ = self.0.compare_exchange(0, error.code(), Ordering::AcqRel, Ordering::Acquire);
    }

    /// Puts an error in the place of what stays.
    pub fn replace(&self, error: Option<Error>) {
        self.0.store(error.map_or(0, Error::code), Ordering::Release);
    }
}
