use std::ffi::c_void;

use gridwright_core::{IndexWidth, Slot};

use crate::backend::Launch;

/// What an entry is called with: the last position along each axis, then the kernel's own numbers and
/// pointers.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    slots: Vec<Source>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// In the raw arguments.
    At(*const ()),
    /// Made for this launch. Of 32 bits, the entry reads the lower half, which is in front.
    Number(u64),
}

impl Arguments {
    /// # Safety
    /// `launch.arguments` points at the raw arguments of `launch.code`.
    pub(super) unsafe fn gather(&mut self, launch: &Launch<'_>) {
        let threads = launch.geometry.threads;
        let rank = launch.code.rank as usize;
        let last = threads.iter().take(rank).map(|&threads| Source::Number(threads.saturating_sub(1) as u64));
        self.slots.extend(last);
        let most = match launch.code.index {
            // 2³² threads own at most as many elements as a `u32` can say: `resolve` allows no more threads.
            IndexWidth::Bits32 => u64::from(u32::MAX),
            IndexWidth::Bits64 => u64::MAX,
        };
        let total = threads.iter().map(|&threads| threads as u64).fold(1, u64::saturating_mul);
        // SAFETY: the caller's contract.
        unsafe {
            launch.code.slots(launch.arguments, &mut |slot| {
                self.slots.push(match slot {
                    Slot::At(address) => Source::At(address),
                    Slot::Owned { len } => Source::Number((len as u64).min(total).min(most)),
                });
            });
        }
    }

    /// The address of each.
    pub(super) fn pointers(&self) -> Vec<*mut c_void> {
        let address = |slot: &Source| match slot {
            Source::At(address) => address.cast_mut().cast(),
            Source::Number(number) => (&raw const *number).cast_mut().cast(),
        };
        self.slots.iter().map(address).collect()
    }
}
