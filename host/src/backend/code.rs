use gridwright_core::{Images, IndexWidth, ParamList, Slot};
use gridwright_device::arch::{Entry, Raw, Signature, run_chunk};

/// A kernel for every kind of device: its code on the CPU, its images, and how its arguments become those of
/// an image's entry.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only GPUs have images"))]
pub(crate) struct Code {
    pub(crate) name: &'static str,
    pub(crate) cpu: Entry,
    pub(crate) images: &'static Images,
    /// The entry's name in the images.
    pub(crate) symbol: &'static str,
    /// The axes that the entry takes a last position for.
    pub(crate) rank: u32,
    pub(crate) index: IndexWidth,
    slots: unsafe fn(*const (), &mut dyn FnMut(Slot)),
}

impl Code {
    /// Of a kernel.
    pub(crate) const fn of<K: Signature>() -> &'static Self {
        const {
            &Self {
                name: K::NAME,
                cpu: run_chunk::<K>,
                images: K::IMAGES,
                symbol: K::ENTRY,
                rank: K::Params::RANK,
                index: K::INDEX,
                slots: slots::<K>,
            }
        }
    }

    /// A kernel named `add` with images, which is never run.
    #[cfg(all(test, feature = "cuda"))]
    pub(crate) const fn for_tests(images: &'static Images) -> Self {
        const unsafe fn never(_: *const (), _: &mut dyn FnMut(Slot)) {}
        unsafe fn never_runs(
            _: gridwright_device::arch::Isa,
            _: &mut gridwright_device::arch::Chunk<'_>,
            _: *const (),
        ) {
        }
        let index = IndexWidth::Bits32;
        Self { name: "add", cpu: never_runs, images, symbol: "add", rank: 1, index, slots: never }
    }

    /// Calls `slot` with each number and pointer that the entry takes after the last positions.
    ///
    /// # Safety
    /// `arguments` points at the kernel's raw arguments.
    #[cfg(feature = "cuda")]
    pub(crate) unsafe fn slots(&self, arguments: *const (), slot: &mut dyn FnMut(Slot)) {
        // SAFETY: the caller's contract; the function is of the same kernel.
        unsafe { (self.slots)(arguments, slot) };
    }
}

/// # Safety
/// `arguments` points at a [`Raw<K>`].
unsafe fn slots<K: Signature>(arguments: *const (), slot: &mut dyn FnMut(Slot)) {
    // SAFETY: the caller's contract.
    let arguments = unsafe { &*arguments.cast::<Raw<K>>() };
    K::Params::slots(arguments, slot);
}
