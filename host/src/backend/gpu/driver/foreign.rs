//! Memory whose owner changes between this backend and somebody else in the program.

use std::ptr::NonNull;

use super::handles::Address;
use super::{Driver, Vendor};
use crate::Error;
use crate::submission::{Home, Kind, Memory, MemoryId, StreamId, Ticket};

impl<V: Vendor> Driver<V> {
    /// # Errors
    /// The device is lost, or can't be entered.
    pub(crate) fn enter_checked(&self) -> Result<(), Error> {
        self.begin().map(drop)
    }

    /// Waits for all work of the device, whoever gave it.
    pub(crate) fn wait_for_all(&self) -> Result<(), Error> {
        self.enter_checked()?;
        let wait = self.api().synchronize_context;
        // SAFETY: the device is entered.
        self.checked(wait.name, unsafe { (wait.call)() })
    }

    /// Memory that somebody else frees from here on, behind what the stream has been told to wait for.
    pub(crate) fn give_memory(&self, memory: MemoryId) {
        self.lock().remove_memory(memory);
    }

    /// Memory that is freed as ours is from here on. Who comes next waits for the stream's work so far.
    pub(crate) fn take_memory(&self, stream: StreamId, address: Address) -> Option<Memory> {
        let pointer = NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize))?;
        let state = &mut *self.lock();
        let id = state.add_memory();
        let number = state.stream_mut(stream).submit(None);
        state.uses(id).add(Kind::Write, Ticket { stream: stream.0, number });
        Some(Memory { pointer, id, home: Home::Device })
    }
}
