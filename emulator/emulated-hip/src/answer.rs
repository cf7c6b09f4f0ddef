//! What a call answers, and what the thread's last error was.

use std::cell::Cell;
use std::ffi::c_int;

use gridwright_emulated_driver::answer;

use crate::error::Error;

thread_local! {
    static LAST: Cell<c_int> = const { Cell::new(0) };
}

/// The number of what `call` returns, which is the thread's last error if it is one. A panic is `hipErrorUnknown`: none may cross
/// the C ABI.
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Error>) -> c_int {
    let code = answer::answer(call);
    // That work isn't done yet is no error.
    if code != 0 && code != Error::NOT_READY.code() {
        LAST.set(code);
    }
    code
}

/// The thread's last error, which is forgotten. As HIP has it: not the answer of a function like the others.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "hip_runtime_api.h has it so")]
extern "C" fn hipGetLastError() -> c_int {
    LAST.replace(0)
}

/// The thread's last error.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "hip_runtime_api.h has it so")]
extern "C" fn hipPeekAtLastError() -> c_int {
    LAST.get()
}

#[cfg(test)]
mod tests {
    use super::{answer, hipGetLastError, hipPeekAtLastError};
    use crate::error::Error;

    #[test]
    fn panics_become_errors_and_the_last_error_is_kept() {
        assert_eq!(answer(|| Err(Error::INVALID_VALUE)), 1);
        assert_eq!(answer(|| Ok(())), 0);
        assert_eq!(answer(|| Err(Error::NOT_READY)), 600);
        assert_eq!((hipPeekAtLastError(), hipGetLastError(), hipGetLastError()), (1, 1, 0));
        assert_eq!(answer(|| panic!("a test's")), 999);
    }
}
