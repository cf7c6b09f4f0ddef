//! Events of other processes on the machine, by handles.

use std::sync::Mutex;

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::process::process;
use crate::recorded::{DISABLE_TIMING, Event, INTERPROCESS, find};
use crate::registry::Handle;
use crate::shared_event::SharedEvent;
use crate::shared_memory::{Purpose, SharedName};

driver! {
    /// For an event that was made for it.
    fn cuIpcGetEventHandle(name: Out<SharedName>, event: Handle) {
        let event = find(event)?;
        name.put(event.shared.as_ref().ok_or(Error::INVALID_VALUE)?.name()?)
    }

    /// An event that this process destroys, too.
    fn cuIpcOpenEventHandle(event: Out<Handle>, name: SharedName) {
        let context = current()?;
        if event.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // As NVIDIA's driver answers in the process that the event is of.
        if name.is_own(Purpose::Event) {
            return Err(Error::INVALID_CONTEXT);
        }
        let shared = Some(SharedEvent::open(&name)?);
        let (record, captured) = (Mutex::default(), Mutex::default());
        let flags = INTERPROCESS | DISABLE_TIMING;
        event.put(process()?.events.insert(Event { context, flags, shared, record, captured }))
    }
}
