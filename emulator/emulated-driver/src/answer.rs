//! What a call answers.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Error;

/// The number of what `call` returns. A panic is the number of an unknown error: none may cross the C ABI.
pub fn answer(call: impl FnOnce() -> Result<(), Error>) -> c_int {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => error.code(),
        Err(_) => Error::UNKNOWN.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::error::Error;

    #[test]
    fn panics_become_errors() {
        assert_eq!(answer(|| Ok(())), 0);
        assert_eq!(answer(|| Err(Error::INVALID_VALUE)), 1);
        assert_eq!(answer(|| panic!("a test's")), 999);
    }
}
