//! Code objects, loaded, and what texts lie in them.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gridwright_core::{Image, ImageKind};
use gridwright_image::code_object::CodeObject;

use super::{Amd, statuses};
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::handles::{Address, ModuleHandle};
use crate::backend::gpu::driver::vendor::NotLoaded;

impl Amd {
    pub(super) fn load_image(&self, image: &'static Image) -> Result<ModuleHandle, NotLoaded> {
        debug_assert_eq!(image.kind, ImageKind::CodeObject, "no other was chosen");
        let bytes = self.placed.aligned(image.bytes);
        let (mut module, load) = (std::ptr::null_mut(), self.own().load_module);
        // SAFETY: a module to write; a whole code object, as its reader found when it was compiled in, which stays as long as
        // the device.
        let status = unsafe { (load.call)(&raw mut module, bytes.cast::<c_void>()) };
        let refused = |reason| Err(NotLoaded::Refused { reason, log: String::new() });
        let text = || statuses::text(self.runtime, status);
        match status {
            Status::SUCCESS => Ok(module),
            Status::NO_BINARY => refused(format!(
                "{}: the device is {}, and the runtime is HIP {}, which may be older than the format of the image; install a \
                 newer ROCm, or add the device's architecture to `architectures`, and build again",
                text(),
                self.architecture,
                self.runtime.version()
            )),
            Status::INVALID_IMAGE => refused(format!(
                "{}: the runtime doesn't understand it; build the program again, or install a newer ROCm",
                text()
            )),
            status => Err(NotLoaded::Failed { called: (load.name, status), log: String::new() }),
        }
    }
}

/// The places where a device has its code objects.
///
/// A thread leaves the addresses of texts, which are constants of its image. The runtime copies from memory that it gave out, and
/// takes any other address for one of the host's: so the texts are read from the image itself.
#[derive(Debug, Default)]
pub(super) struct Placed(Mutex<Images>);

#[derive(Debug, Default)]
struct Images {
    /// Each part of a code object in memory, by its address there.
    parts: Vec<(Address, &'static [u8])>,
    /// Code objects at addresses that the runtime may read words from, each as a run of words.
    aligned: Vec<Box<[u64]>>,
}

impl Placed {
    /// A code object at an address that is a multiple of eight.
    fn aligned(&self, image: &'static [u8]) -> *const u8 {
        if image.as_ptr().cast::<u64>().is_aligned() {
            return image.as_ptr();
        }
        let mut words = vec![0_u64; image.len().div_ceil(size_of::<u64>())].into_boxed_slice();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        if let Some(room) = bytes.get_mut(..image.len()) {
            room.copy_from_slice(image);
        }
        let address = words.as_ptr().cast();
        self.images().aligned.push(words);
        address
    }

    /// Notes where a code object lies, by the address of one of its symbols.
    pub(super) fn add(&self, image: &'static Image, symbol: &str, address: Address) {
        let Ok(object) = CodeObject::read(image.bytes) else { return };
        let Some(symbol) = object.symbols.iter().find(|known| known.name == symbol) else { return };
        let base = address.wrapping_sub(symbol.address);
        let parts = object.segments.iter().map(|segment| (base.wrapping_add(segment.address), segment.bytes));
        self.images().parts.extend(parts);
    }

    /// Reads what lies in a code object at an address of the device; `false` if there is none.
    pub(super) fn read(&self, from: Address, to: &mut [u8]) -> bool {
        let images = self.images();
        let found = images.parts.iter().find_map(|&(address, bytes)| {
            let start = usize::try_from(from.checked_sub(address)?).ok()?;
            bytes.get(start..start.checked_add(to.len())?)
        });
        found.is_some_and(|bytes| {
            to.copy_from_slice(bytes);
            true
        })
    }

    fn images(&self) -> MutexGuard<'_, Images> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
