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

#[cfg(test)]
mod tests {
    use super::Failure;
    use crate::Error;

    fn panic(message: &str) -> Error {
        let (file, group, thread) = ("a file".into(), [0; 3], [0; 3]);
        Error::KernelPanic {
            kernel: "k",
            message: message.into(),
            file,
            line: 1,
            column: 1,
            group,
            thread,
            others: 0,
        }
    }

    #[test]
    fn the_first_failure_is_told_once_with_the_number_of_other_panics() {
        let failure = Failure::default();
        failure.take().unwrap();
        for message in ["first", "second", "third"] {
            failure.add(panic(message));
        }
        let error = failure.take().unwrap_err();
        assert!(
            matches!(&error, Error::KernelPanic { message, others: 2, .. } if message == "first"),
            "{error}"
        );
        failure.take().unwrap();
        // A fault stays the one that is told.
        failure.add(Error::KernelFault { kernel: "k", findings: "a race".into() });
        failure.add(panic("later"));
        assert!(matches!(failure.take(), Err(Error::KernelFault { .. })));
    }
}
