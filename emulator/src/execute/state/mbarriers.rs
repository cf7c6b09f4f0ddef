//! Barriers that are objects in workgroup memory.

use std::collections::BTreeMap;

use crate::checks::{Brought, Clock};

/// The greatest count of arrivals, and of bytes that are expected.
pub(crate) const MOST: u32 = (1 << 20) - 1;

/// The barriers of a group, by their offsets in its memory.
#[derive(Debug, Default)]
pub(crate) struct Mbarriers {
    pub(crate) objects: BTreeMap<u64, Object>,
}

/// A barrier that was initialised.
#[derive(Debug)]
pub(crate) struct Object {
    /// Arrivals of a phase.
    pub(crate) count: u32,
    /// Arrivals that this phase waits for.
    pub(crate) pending: u32,
    /// Bytes that are expected in this phase and haven't come.
    pub(crate) bytes: i64,
    /// The phases that are complete.
    pub(crate) phase: u64,
    /// Copies that the barrier counts and that haven't come.
    pub(crate) copies: u32,
    /// Whether the barrier was tested since a copy was begun.
    pub(crate) was_tested: bool,
    /// Clocks that threads brought to the barrier so far, and those that threads had brought whose phases
    /// are complete.
    pub(crate) arrived: Brought,
    pub(crate) complete: Brought,
}

/// What a thread of another group brings to a barrier.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) at: u64,
    /// Arrivals, and how many bytes more are expected; or fewer.
    pub(crate) count: u32,
    pub(crate) bytes: i64,
    /// Whether later phases count so many arrivals less.
    pub(crate) drops: bool,
    /// What the thread knew.
    pub(crate) clock: Clock,
}

impl Mbarriers {
    pub(crate) fn clear(&mut self) {
        self.objects.clear();
    }

    pub(crate) fn object(&mut self, at: u64) -> Result<&mut Object, &'static str> {
        self.objects.get_mut(&at).ok_or("it wasn't initialised")
    }
}

impl Object {
    pub(crate) fn new(count: u32) -> Self {
        Self {
            count,
            pending: count,
            bytes: 0,
            phase: 0,
            copies: 0,
            was_tested: false,
            arrived: Brought::default(),
            complete: Brought::default(),
        }
    }

    pub(crate) fn await_bytes(&mut self, bytes: u32) -> Result<(), &'static str> {
        self.bytes += i64::from(bytes);
        if self.bytes > MOST.into() { Err("more than 1048575 bytes are expected") } else { Ok(()) }
    }

    pub(crate) fn arrive(&mut self, count: u32) -> Result<(), &'static str> {
        self.pending = self.pending.checked_sub(count).ok_or("more threads arrive than it counts")?;
        Ok(())
    }

    /// Completes the phase if nothing is missing.
    pub(crate) fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.pending = self.count;
            self.phase += 1;
            self.complete.clone_from(&self.arrived);
        }
    }

    /// Whether copies come now: not before the second look, so that who doesn't look twice is found.
    pub(crate) fn lets_come(&mut self) -> bool {
        self.copies > 0 && std::mem::replace(&mut self.was_tested, true)
    }
}
