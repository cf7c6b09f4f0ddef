//! Functions of the program that run in the order of a device's work.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;

thread_local! {
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// A function of the program, and where its panics go.
pub(crate) struct HostCall {
    // Locked by nobody else: replays of one graph run one after another, also on a device.
    function: Mutex<Box<dyn FnMut() + Send>>,
    panics: Arc<HostPanics>,
}

impl HostCall {
    /// A function whose panics are kept in `panics`.
    pub(crate) fn new(panics: &Arc<HostPanics>, function: impl FnMut() + Send + 'static) -> Self {
        Self { function: Mutex::new(Box::new(function)), panics: Arc::clone(panics) }
    }

    /// Calls the function. A panic is kept for the next call that waits.
    pub(crate) fn run(&self) {
        // A function that panicked is called again: what it left half-done is its own.
        let ran = call_host_function(|| (self.function.lock().unwrap_or_else(PoisonError::into_inner))());
        if let Err(message) = ran {
            self.panics.add(message);
        }
    }
}

/// Calls a function of the program, in which the device can't be used.
///
/// # Errors
/// The message of its panic.
pub(crate) fn call_host_function<R>(function: impl FnOnce() -> R) -> Result<R, String> {
    let outer = IS_RUNNING.replace(true);
    let ran = catch_unwind(AssertUnwindSafe(function));
    IS_RUNNING.set(outer);
    ran.map_err(|payload| {
        let message = message(&*payload);
        // Nobody else would catch a payload that panics when it is dropped.
        std::mem::forget(payload);
        message
    })
}

impl HostCall {
    /// Calls the function for the last time: what it owns is dropped as a part of the call.
    pub(crate) fn run_once(self: Arc<Self>) {
        self.run();
        let outer = IS_RUNNING.replace(true);
        let panics = Arc::clone(&self.panics);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(self))) {
            panics.add(message(&*payload));
            std::mem::forget(payload);
        }
        IS_RUNNING.set(outer);
    }
}

impl fmt::Debug for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostCall").finish_non_exhaustive()
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).into(),
        (_, Some(text)) => text.clone(),
        _ => "a panic whose payload isn't text".into(),
    }
}

/// The first panic of a device's host functions that wasn't reported yet.
#[derive(Debug, Default)]
pub(crate) struct HostPanics {
    is_any: AtomicBool,
    first: Mutex<Option<(String, u64)>>,
}

impl HostPanics {
    pub(crate) fn add(&self, message: String) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *first {
            Some((_, others)) => *others += 1,
            none => *none = Some((message, 0)),
        }
        self.is_any.store(true, Ordering::Release);
    }

    /// # Errors
    /// [`Error::HostPanic`], once.
    pub(crate) fn report(&self) -> Result<(), Error> {
        if !self.is_any.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_any.store(false, Ordering::Relaxed);
        let panic = first.take();
        panic.map_or(Ok(()), |(message, others)| Err(Error::HostPanic { message, others }))
    }
}

/// Refuses a call that a device's host function makes.
///
/// # Errors
/// [`Error::InHostFunction`] where a device's host function runs: it would wait for itself, or for what waits
/// for it.
#[inline]
pub(crate) fn forbid(call: &'static str) -> Result<(), Error> {
    if is_running() { Err(in_host_function(call)) } else { Ok(()) }
}

#[cold]
fn in_host_function(call: &'static str) -> Error {
    Error::InHostFunction { call }
}

/// Whether this thread runs a host function.
pub(crate) fn is_running() -> bool {
    IS_RUNNING.get()
}
