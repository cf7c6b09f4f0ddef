//! What a call answers.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, remember};

/// The number of what `call` returns, whose message becomes the last one. A panic is `ncclInternalError`: none may cross the C ABI.
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Error>) -> c_int {
    let Err(error) = unpanicked(call) else { return 0 };
    remember(&error);
    error.code.number()
}

/// What `call` returns, or an error if it panics.
pub(crate) fn unpanicked<T>(call: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(Error::internal("the library panicked")))
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::error::Error;

    #[test]
    fn panics_become_errors() {
        assert_eq!(answer(|| Ok(())), 0);
        assert_eq!(answer(|| Err(Error::argument("a test's"))), 4);
        assert_eq!(answer(|| panic!("a test's")), 3);
    }
}
