//! Handles: numbers that are recognised when they are wrong, of another kind or of something that is gone.

use std::sync::{Arc, RwLock};

use crate::locks::{read, write};

/// A `CUstream`, `CUevent`, … as callers have it: opaque, of a pointer's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Handle(pub usize);

impl Handle {
    pub const NULL: Self = Self(0);
}

/// The things of one kind, by handle: a generation above bit 32, an index above bit 8, the kind.
pub struct Registry<T> {
    kind: u8,
    slots: RwLock<Slots<T>>,
}

struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
}

struct Slot<T> {
    /// Counts what was here: from 1, so that no handle is a small number, which streams have a meaning for.
    generation: u32,
    value: Option<Arc<T>>,
}

impl<T> Registry<T> {
    pub const fn new(kind: u8) -> Self {
        Self { kind, slots: RwLock::new(Slots { slots: Vec::new(), free: Vec::new() }) }
    }

    /// Makes a thing that may know its handle.
    pub fn insert_with(&self, make: impl FnOnce(Handle) -> T) -> (Handle, Arc<T>) {
        let mut slots = write(&self.slots);
        let index = match slots.free.pop() {
            Some(index) => index,
            None => {
                slots.slots.push(Slot { generation: 1, value: None });
                slots.slots.len() - 1
            }
        };
        let slot = &mut slots.slots[index];
        let handle =
            Handle(((slot.generation as usize) << 32) | ((index & 0xff_ffff) << 8) | usize::from(self.kind));
        let value = Arc::new(make(handle));
        slot.value = Some(Arc::clone(&value));
        (handle, value)
    }

    pub fn insert(&self, value: T) -> Handle {
        self.insert_with(|_| value).0
    }

    pub fn get(&self, handle: Handle) -> Option<Arc<T>> {
        let index = self.index(handle)?;
        let slots = read(&self.slots);
        let slot = slots.slots.get(index)?;
        if slot.generation as usize != handle.0 >> 32 { None } else { slot.value.clone() }
    }

    pub fn remove(&self, handle: Handle) -> Option<Arc<T>> {
        let index = self.index(handle)?;
        let mut slots = write(&self.slots);
        let slot = slots.slots.get_mut(index)?;
        if slot.generation as usize != handle.0 >> 32 {
            return None;
        }
        let value = slot.value.take()?;
        slot.generation = slot.generation.wrapping_add(1).max(1);
        slots.free.push(index);
        Some(value)
    }

    /// Removes all that are so.
    pub fn remove_all(&self, is_so: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        let mut slots = write(&self.slots);
        let mut removed = Vec::new();
        for index in 0..slots.slots.len() {
            let slot = &mut slots.slots[index];
            if slot.value.as_deref().is_some_and(&is_so) {
                removed.extend(slot.value.take());
                slot.generation = slot.generation.wrapping_add(1).max(1);
                slots.free.push(index);
            }
        }
        removed
    }

    fn index(&self, handle: Handle) -> Option<usize> {
        (handle.0 & 0xff == usize::from(self.kind)).then_some((handle.0 >> 8) & 0xff_ffff)
    }
}

#[cfg(test)]
mod tests {
    use super::{Handle, Registry};

    #[test]
    fn handles_of_what_is_gone_are_not_found() {
        let registry = Registry::new(7);
        let first = registry.insert("first");
        assert_eq!(registry.get(first).as_deref(), Some(&"first"));
        assert!(registry.remove(first).is_some());
        assert!(registry.remove(first).is_none());
        let second = registry.insert("second");
        assert_ne!(first, second);
        assert_eq!(registry.get(first), None);
        assert_eq!(registry.get(second).as_deref(), Some(&"second"));
    }

    #[test]
    fn handles_of_another_kind_and_any_other_number_are_not_found() {
        let streams = Registry::new(1);
        let events = Registry::new(2);
        let stream = streams.insert(());
        assert!(events.insert(()) != stream);
        assert!(events.get(stream).is_none());
        for wrong in [0, 1, 2, 0xdead_beef, usize::MAX, stream.0 + 256] {
            assert!(streams.get(Handle(wrong)).is_none());
        }
    }
}
