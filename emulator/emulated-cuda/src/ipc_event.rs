//! Events of other processes on the machine, by handles.

use crate::abi::Out;
use crate::context::{Cuda, current};
use crate::error::Error;
use crate::event::{EVENTS, Event};
use crate::registry::Handle;
use crate::shared::event::{DISABLE_TIMING, INTERPROCESS, find};
use crate::shared::shared_event::SharedEvent;
use crate::shared::shared_memory::{Purpose, SharedName};

driver! {
    /// For an event that was made for it.
    fn cuIpcGetEventHandle(name: Out<SharedName>, event: Handle) {
        let event = find::<Cuda>(event)?;
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
        let flags = INTERPROCESS | DISABLE_TIMING;
        event.put(EVENTS.insert(Event::new(context, flags, shared)))
    }
}
