//! The bytes that an entry finds its parameters in.

use std::slice;

use gridwright::__private::{ImageEntry, IndexWidth, ParamList, Raw, Signature};
use gridwright_core::{Geometry, Slot, WorkgroupMemory, value_part};

/// The last position along each axis, unless the kernel is one of groups; the kernel's own numbers and pointers; the
/// length of each launch-sized partition: each where the code object has its parameter.
pub(crate) fn bytes<K: Signature>(
    entry: &ImageEntry,
    geometry: &Geometry,
    memory: &WorkgroupMemory,
    raw: &Raw<K>,
) -> Vec<u8> {
    let mut segment = Segment { entry, next: 0, bytes: Vec::new() };
    if !K::BOUNDS.whole_groups {
        for &threads in &geometry.threads[..K::BOUNDS.rank as usize] {
            segment.number(threads - 1, K::BOUNDS.index);
        }
    }
    let threads = geometry.threads.iter().product::<usize>();
    let mut in_parts = K::VALUES_IN_PARTS;
    K::Params::slots(raw, |slot| match slot {
        Slot::At(address) => segment.copy(address),
        Slot::Value { address, bytes } => {
            if in_parts & 1 != 0 {
                segment.parts(address, bytes as usize);
            } else if bytes > 0 {
                segment.copy(address);
            }
            in_parts >>= 1;
        }
        Slot::Owned { len } => segment.number(len.min(threads), K::BOUNDS.index),
        Slot::Owners { axis, most } => segment.number(most.min(geometry.threads[axis]), IndexWidth::Bits32),
    });
    for &len in memory.lens() {
        segment.number(len, IndexWidth::Bits32);
    }
    assert_eq!(
        segment.next,
        entry.parameters.len(),
        "parameters of `{}` that nothing was passed for",
        entry.name
    );
    segment.bytes
}

struct Segment<'e> {
    entry: &'e ImageEntry,
    /// The parameter that comes next.
    next: usize,
    bytes: Vec<u8>,
}

impl Segment<'_> {
    fn number(&mut self, number: usize, width: IndexWidth) {
        let bytes = number.to_le_bytes();
        let size = match width {
            IndexWidth::Bits32 => 4,
            IndexWidth::Bits64 => 8,
        };
        let place = self.place();
        assert_eq!(place.len(), size, "an index's width");
        place.copy_from_slice(&bytes[..size]);
    }

    fn copy(&mut self, address: *const ()) {
        let place = self.place();
        // SAFETY: the slots of raw arguments, which are borrowed while they are asked for, point at as many bytes as the
        // parameter has: `Images::check` compared the sizes when this was compiled.
        place.copy_from_slice(unsafe { slice::from_raw_parts(address.cast(), place.len()) });
    }

    /// A value in parts, zeros behind it.
    fn parts(&mut self, address: *const (), bytes: usize) {
        // SAFETY: the value has as many bytes.
        let value: &[u8] = unsafe { slice::from_raw_parts(address.cast(), bytes) };
        for part in (0..).map_while(|i| value_part(bytes, i)) {
            let there = &value[part.start..bytes.min(part.start + part.bytes)];
            self.place()[..there.len()].copy_from_slice(there);
        }
    }

    /// The bytes of the next parameter.
    fn place(&mut self) -> &mut [u8] {
        let name = self.entry.name;
        let parameter = self.entry.parameters.get(self.next).unwrap_or_else(|| {
            panic!("`{name}` has {} parameters, and more were passed", self.entry.parameters.len())
        });
        self.next += 1;
        let (start, end) = (parameter.offset as usize, (parameter.offset + parameter.size) as usize);
        self.bytes.resize(self.bytes.len().max(end), 0);
        &mut self.bytes[start..end]
    }
}
