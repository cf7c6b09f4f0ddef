//! A panic of a kernel thread as an [`Error`]: caught, with its place in the source and in the launch.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use gridwright_device::arch::{Position, take_panicked};

use crate::Error;

thread_local! {
    static IN_KERNEL: Cell<bool> = const { Cell::new(false) };
    static SITE: RefCell<Option<Site>> = const { RefCell::new(None) };
}

struct Site {
    file: String,
    line: u32,
    column: u32,
}

/// Has panics of kernels noted rather than printed: they are returned. Others go to the hook that was
/// there before.
pub(super) fn install_hook() {
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

/// Runs a part of a kernel.
pub(super) fn catch(kernel: &'static str, run: impl FnOnce()) -> Result<(), Error> {
    let outer = IN_KERNEL.replace(true);
    // What a kernel leaves half-written is in device buffers, where every bit pattern is valid.
    let result = catch_unwind(AssertUnwindSafe(run));
    IN_KERNEL.set(outer);
    result.map_err(|payload| {
        let site = SITE.take().unwrap_or(Site { file: "an unknown file".into(), line: 0, column: 0 });
        let Position { group, thread } =
            take_panicked().unwrap_or(Position { group: [0; 3], thread: [0; 3] });
        let Site { file, line, column } = site;
        let message = message(&*payload);
        // Nobody else would catch a payload that panics when it is dropped.
        std::mem::forget(payload);
        Error::KernelPanic { kernel, message, file, line, column, group, thread, others: 0 }
    })
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
