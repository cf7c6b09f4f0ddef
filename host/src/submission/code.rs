use std::any::TypeId;

use gridwright_core::{Bounds, CpuEntry, Images, ParamList, Raw, Signature, Slot};

use super::work::RawArguments;

/// A kernel for every kind of device: its code on the CPU, its images, and how its arguments become those of
/// an image's entry.
#[derive(Debug)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip", feature = "emulator")),
    expect(dead_code, reason = "only GPUs have images")
)]
pub(crate) struct Code {
    pub(crate) name: &'static str,
    pub(crate) cpu: CpuEntry,
    pub(crate) images: &'static Images,
    /// The kernel's path, by which the images have its entry.
    pub(crate) path: &'static str,
    /// What the kernel demands of a launch, and what of that its entry takes: a last position for each axis of a
    /// kernel of threads.
    pub(crate) bounds: Bounds,
    /// Bytes of workgroup memory that each launch takes.
    pub(crate) fixed_bytes: usize,
    /// Which parameters by value AMD's entry takes in parts, as [`Signature`] has it.
    #[cfg_attr(not(feature = "hip"), allow(dead_code, reason = "the others take values as they are"))]
    pub(crate) values_in_parts: u32,
    /// The kernel's type.
    pub(crate) kernel: fn() -> TypeId,
    copied: unsafe fn(*const ()) -> Box<dyn RawArguments>,
    slots: unsafe fn(*const (), &mut dyn FnMut(Slot)),
}

impl Code {
    /// The code of a kernel.
    pub(crate) const fn of<K: Signature>() -> &'static Self {
        const {
            &Self {
                name: K::NAME,
                cpu: K::CPU,
                images: K::IMAGES,
                path: K::ENTRY,
                bounds: K::BOUNDS,
                fixed_bytes: K::FIXED_BYTES,
                values_in_parts: K::VALUES_IN_PARTS,
                kernel: TypeId::of::<K>,
                copied: copied::<K>,
                slots: slots::<K>,
            }
        }
    }

    /// A kernel named `add` without arguments.
    #[cfg(test)]
    pub(crate) const fn for_tests(cpu: CpuEntry, images: &'static Images) -> Self {
        const unsafe fn none(_: *const (), _: &mut dyn FnMut(Slot)) {}
        unsafe fn nothing(_: *const ()) -> Box<dyn RawArguments> {
            Box::new(())
        }
        Self {
            name: "add",
            cpu,
            images,
            path: "add",
            bounds: Bounds::of_rank(1),
            fixed_bytes: 0,
            values_in_parts: 0,
            kernel: TypeId::of::<()>,
            copied: nothing,
            slots: none,
        }
    }

    /// Whether the kernel was compiled elsewhere: its entry takes no lengths of workgroup memory, as CUDA has
    /// it.
    #[cfg(any(feature = "cuda", feature = "hip", feature = "emulator"))]
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.cpu, CpuEntry::Foreign)
    }

    /// The kernel's raw arguments, copied.
    ///
    /// # Safety
    /// `arguments` points at them.
    pub(crate) unsafe fn copied(&self, arguments: *const ()) -> Box<dyn RawArguments> {
        // SAFETY: the caller says that they are the kernel's raw arguments; `of` took the function from the same kernel.
        unsafe { (self.copied)(arguments) }
    }

    /// Calls `slot` with each number and pointer that the entry takes for the kernel's parameters.
    ///
    /// # Safety
    /// `arguments` points at the kernel's raw arguments.
    #[cfg(any(feature = "cuda", feature = "hip", feature = "emulator"))]
    pub(crate) unsafe fn slots(&self, arguments: *const (), slot: &mut dyn FnMut(Slot)) {
        // SAFETY: the caller says that they are the kernel's raw arguments; `of` took the function from the same kernel.
        unsafe { (self.slots)(arguments, slot) };
    }
}

/// # Safety
/// `arguments` points at a [`Raw<K>`].
unsafe fn copied<K: Signature>(arguments: *const ()) -> Box<dyn RawArguments> {
    // SAFETY: the caller says that `arguments` points at a `Raw<K>`, which may be copied.
    Box::new(unsafe { *arguments.cast::<Raw<K>>() })
}

/// # Safety
/// `arguments` points at a [`Raw<K>`].
unsafe fn slots<K: Signature>(arguments: *const (), slot: &mut dyn FnMut(Slot)) {
    // SAFETY: the caller says that `arguments` points at a `Raw<K>`.
    let arguments = unsafe { &*arguments.cast::<Raw<K>>() };
    K::Params::slots(arguments, slot);
}
