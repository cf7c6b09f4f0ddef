//! Functions of the program that a driver calls.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

pub type HostFunction = Option<unsafe extern "C" fn(*mut c_void)>;
pub type Callback = Option<unsafe extern "C" fn(*mut c_void, c_int, *mut c_void)>;

/// A caller's pointer that is only handed back to it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct UserData(*mut c_void);

// SAFETY: nothing here looks behind it; whoever gives it to a stream expects it back on another thread.
unsafe impl Send for UserData {}
// SAFETY: threads that share it only copy the pointer; nothing here looks behind it.
unsafe impl Sync for UserData {}

impl UserData {
    pub fn pointer(self) -> *mut c_void {
        self.0
    }
}

thread_local! {
    /// This thread runs a function of the program, which may not call the driver.
    static IS_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs a function of the program.
pub fn is_running() -> bool {
    IS_CALLBACK.get()
}

/// Runs a function of the program, in which the driver may not be called.
pub fn forbidding_calls(callback: impl FnOnce()) {
    IS_CALLBACK.set(true);
    callback();
    IS_CALLBACK.set(false);
}
