use std::ffi::c_void;

use gridwright_core::{IndexWidth, Slot, value_part};

use crate::submission::Launch;

/// What an entry is called with: the last position along each axis, unless it runs whole groups; the kernel's own
/// numbers and pointers; the length of each launch-sized partition; where the groups of a grid meet. What the backend adds of its own goes behind them.
#[derive(Debug, Default)]
pub(in crate::backend::gpu) struct Arguments {
    slots: Vec<Source>,
    pointers: Vec<*mut c_void>,
}

// SAFETY: the addresses are followed during the launch that gathered them, and never again.
unsafe impl Send for Arguments {}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// An argument in the raw arguments.
    At(*const ()),
    /// A number made for this launch. Of 32 bits, the entry reads the lower half, which is in front.
    Number(u64),
}

impl Arguments {
    /// The address of each argument, for the launch. The room that they take is kept for the next one.
    /// `in_parts` has a bit for each parameter by value, the first one's the lowest: whether the entry takes
    /// it in parts.
    ///
    /// # Safety
    /// `launch.arguments` points at the raw arguments of `launch.code`.
    pub(in crate::backend::gpu) unsafe fn gather(
        &mut self,
        launch: &Launch<'_>,
        mut in_parts: u32,
    ) -> &mut [*mut c_void] {
        self.slots.clear();
        let (threads, bounds) = (launch.sizes.geometry.threads, launch.code.bounds);
        if !bounds.whole_groups {
            let axes = threads.iter().take(bounds.rank as usize);
            self.slots.extend(axes.map(|&threads| Source::Number(threads.saturating_sub(1) as u64)));
        }
        let most = match bounds.index {
            // 2³² threads own at most as many elements as a `u32` can say: `resolve` allows no more threads.
            IndexWidth::Bits32 => u64::from(u32::MAX),
            IndexWidth::Bits64 => u64::MAX,
        };
        let total = threads.iter().map(|&threads| threads as u64).fold(1, u64::saturating_mul);
        // SAFETY: the caller says that `launch.arguments` points at the raw arguments of `launch.code`, in which each value that
        // `slots` gives has as many bytes.
        unsafe {
            launch.code.slots(launch.arguments, &mut |slot| match slot {
                Slot::At(address) => self.slots.push(Source::At(address)),
                Slot::Value { address, bytes } => {
                    if in_parts & 1 != 0 {
                        push_parts(&mut self.slots, address, bytes as usize);
                    } else if bytes > 0 {
                        self.slots.push(Source::At(address));
                    }
                    in_parts >>= 1;
                }
                Slot::Owned { len } => {
                    self.slots.push(Source::Number((len as u64).min(total).min(most)));
                }
                Slot::Owners { axis, most } => {
                    // Matrices and volumes have no more rows, columns and planes than a `u32` can say.
                    let launched = threads.get(axis).copied().unwrap_or(1);
                    self.slots.push(Source::Number(most.min(launched).min(u32::MAX as usize) as u64));
                }
            });
        }
        if !launch.code.is_foreign() {
            // A group's memory is far below 2³² bytes.
            self.slots.extend(launch.sizes.memory.lens().iter().map(|&len| Source::Number(len as u64)));
        }
        self.slots.extend(launch.meeting.map(Source::Number));
        self.pointers.clear();
        self.pointers.extend(self.slots.iter().map(|slot| match slot {
            Source::At(address) => address.cast_mut().cast(),
            Source::Number(number) => (&raw const *number).cast_mut().cast::<c_void>(),
        }));
        &mut self.pointers
    }
}

/// # Safety
/// As for [`parts`].
#[cold]
unsafe fn push_parts(slots: &mut Vec<Source>, address: *const (), bytes: usize) {
    // SAFETY: the caller says that the value is there, with as many bytes.
    slots.extend(unsafe { parts(address, bytes) });
}

/// The parts of a value. A word that it fills in part is copied: nobody may read beyond the value.
///
/// # Safety
/// The value is there, with as many bytes.
unsafe fn parts(address: *const (), bytes: usize) -> impl Iterator<Item = Source> {
    (0..).map_while(move |i| value_part(bytes, i)).map(move |part| {
        let there = (bytes - part.start).min(part.bytes);
        if there == part.bytes {
            return Source::At(address.wrapping_byte_add(part.start));
        }
        // The last, a word: no chunk goes beyond its value.
        let mut number = [0; size_of::<u64>()];
        // SAFETY: so many bytes of the value are there, from its start on; fewer than a word has.
        unsafe {
            let from = address.cast::<u8>().wrapping_add(part.start);
            from.copy_to_nonoverlapping(number.as_mut_ptr(), there.min(size_of::<u64>()));
        }
        Source::Number(u64::from_le_bytes(number))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gridwright_core::{
        Bounds, CpuCode, CpuEntry, Geometry, Images, Isa, LaunchAttributes, LaunchSizes, WorkgroupMemory,
    };

    use super::{Arguments, Source, parts};
    use crate::submission::{Code, Launch, Loaded, LoadedKernel};

    #[derive(Debug)]
    struct NoKernel;

    impl LoadedKernel for NoKernel {}

    unsafe fn never(_: Isa, _: &LaunchSizes, _: std::ops::Range<usize>, _: *const ()) {}

    static NONE: Images = Images { missing: "", images: &[], cpu: CpuCode::All };

    /// The numbers that an entry without parameters gets.
    fn numbers(bounds: Bounds, memory: WorkgroupMemory, count: usize) -> Vec<u32> {
        numbers_of(CpuEntry::Groups(never), bounds, memory, count)
    }

    fn numbers_of(cpu: CpuEntry, bounds: Bounds, memory: WorkgroupMemory, count: usize) -> Vec<u32> {
        let mut code = Code::for_tests(cpu, &NONE);
        code.bounds = bounds;
        let code: &'static Code = Box::leak(Box::new(code));
        let launch = Launch {
            code,
            kernel: &(Arc::new(NoKernel) as Loaded),
            sizes: LaunchSizes {
                geometry: Geometry { threads: [64, 8, 1], block: [32, 8, 1], groups: [2, 1, 1] },
                memory,
                cluster: 1,
            },
            attributes: LaunchAttributes::default(),
            arguments: std::ptr::null(),
            accesses: &[],
            is_shared: false,
            is_awaited: false,
            meeting: None,
        };
        let mut arguments = Arguments::default();
        // SAFETY: a kernel without arguments.
        let pointers = unsafe { arguments.gather(&launch, 0) };
        assert_eq!(pointers.len(), count);
        // SAFETY: each is the address of a number of 64 bits, in this byte order.
        pointers.iter().map(|pointer| unsafe { *pointer.cast::<u32>() }).collect()
    }

    #[test]
    fn kernels_of_threads_get_last_positions_and_kernels_of_groups_lengths() {
        let of_threads = Bounds::of_rank(2);
        assert_eq!(numbers(of_threads, WorkgroupMemory::default(), 2), [63, 7]);
        let of_groups = Bounds { whole_groups: true, ..of_threads };
        assert_eq!(numbers(of_groups, WorkgroupMemory::default(), 0), []);
        let mut memory = WorkgroupMemory { count: 2, bytes: 2048, ..WorkgroupMemory::default() };
        memory.lens[..2].copy_from_slice(&[128, 7]);
        assert_eq!(numbers(of_groups, memory, 2), [128, 7]);
        assert_eq!(numbers_of(CpuEntry::Foreign, of_groups, memory, 0), []);
    }

    #[test]
    fn a_value_in_parts_is_read_up_to_its_end_and_no_further() {
        let value: [u32; 3] = [1, 2, 3];
        // SAFETY: the value has as many bytes.
        let parts: Vec<_> = unsafe { parts((&raw const value).cast(), size_of_val(&value)) }.collect();
        let number = |source: &Source| match *source {
            // SAFETY: a whole word of the value, in this byte order.
            Source::At(address) => unsafe { address.cast::<u64>().read_unaligned() },
            Source::Number(number) => number,
        };
        assert_eq!(parts.iter().map(number).collect::<Vec<_>>(), [2 << 32 | 1, 3]);
        assert!(matches!(parts[0], Source::At(_)) && matches!(parts[1], Source::Number(_)));
    }

    #[test]
    fn a_large_value_is_in_chunks_and_one_of_no_bytes_in_nothing() {
        let value: [u32; 67] = std::array::from_fn(|i| i as u32);
        // SAFETY: the value has as many bytes.
        let parts: Vec<_> = unsafe { parts((&raw const value).cast(), size_of_val(&value)) }.collect();
        let first = |source: &Source| match *source {
            // SAFETY: an element of the value.
            Source::At(address) => unsafe { address.cast::<u32>().read() },
            Source::Number(number) => number as u32,
        };
        assert_eq!(parts.iter().map(first).collect::<Vec<_>>(), [0, 32, 64, 66]);
        // SAFETY: no byte is read.
        assert_eq!(unsafe { super::parts(std::ptr::null(), 0) }.count(), 0);
    }
}
