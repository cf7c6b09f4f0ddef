//! A panic of a kernel thread as a value: caught, with its place in the source and in the launch.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::panic_place::{self, Position};

thread_local! {
    static IN_KERNEL: Cell<bool> = const { Cell::new(false) };
    static SITE: RefCell<Option<Site>> = const { RefCell::new(None) };
}

/// A panic of a kernel's thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPanic {
    /// The panic's message.
    pub message: String,
    /// The file of the line that panicked.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The workgroup along x, y and z.
    pub group: [u32; 3],
    /// The thread in the workgroup along x, y and z.
    pub thread: [u32; 3],
}

struct Site {
    file: String,
    line: u32,
    column: u32,
}

/// Has panics of kernels noted rather than printed: they are returned. Others go to the hook that was
/// there before. Once or more often.
///
/// ```
/// gridwright_cpu::install_hook();
/// ```
pub fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            // With `panic = "abort"` this is the last that anyone hears of it.
            if IN_KERNEL.get() && !cfg!(panic = "abort") {
                SITE.replace(site(info));
            } else {
                previous(info);
            }
        }));
    });
}

fn site(info: &PanicHookInfo<'_>) -> Option<Site> {
    let location = info.location()?;
    Some(Site { file: location.file().into(), line: location.line(), column: location.column() })
}

/// Whether this thread runs a kernel.
///
/// ```
/// assert!(!gridwright_cpu::is_in_kernel());
/// ```
pub fn is_in_kernel() -> bool {
    IN_KERNEL.get()
}

/// Runs a part of a kernel.
///
/// # Errors
/// Its panic.
pub(crate) fn catch(run: impl FnOnce()) -> Result<(), KernelPanic> {
    let outer = IN_KERNEL.replace(true);
    // What a kernel leaves half-written is in device buffers, where every bit pattern is valid.
    let result = catch_unwind(AssertUnwindSafe(run));
    IN_KERNEL.set(outer);
    result.map_err(|payload| {
        let site = SITE.take().unwrap_or(Site { file: "an unknown file".into(), line: 0, column: 0 });
        let Position { group, thread } =
            panic_place::take().unwrap_or(Position { group: [0; 3], thread: [0; 3] });
        let Site { file, line, column } = site;
        let message = message(&*payload);
        discard(payload);
        KernelPanic { message, file, line, column, group, thread }
    })
}

/// Drops a panic's payload. A payload that panics at that is the last: its own payload stays.
fn discard(payload: Box<dyn Any + Send>) {
    let outer = IN_KERNEL.replace(true);
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(another);
    }
    IN_KERNEL.set(outer);
    SITE.take();
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).into()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic whose payload isn't text".into()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;
    use std::sync::Arc;

    use super::*;

    struct PanicsAgain(Arc<()>);

    impl Drop for PanicsAgain {
        fn drop(&mut self) {
            panic_any(Arc::clone(&self.0));
        }
    }

    #[test]
    fn payloads_are_dropped() {
        install_hook();
        let payload = Arc::new(());
        let given = Arc::clone(&payload);
        let panic = catch(|| panic_any(given)).unwrap_err();
        assert!(panic.line > 0, "{panic:?}");
        assert_eq!(Arc::strong_count(&payload), 1);
        let given = Arc::clone(&payload);
        assert!(catch(|| panic_any(PanicsAgain(given))).is_err());
        assert_eq!(Arc::strong_count(&payload), 2, "what a payload's own panic gave stays, and nothing else");
    }
}
