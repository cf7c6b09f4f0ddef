//! What a program has of a kernel, for whichever driver looks for an image.

use std::hash::{Hash, Hasher};

use gridwright_core::{Image, ImageEntry, ImageKind};

use crate::Error;
use crate::submission::Code;

#[cfg(any(feature = "cuda", feature = "emulator"))]
pub(super) mod ptx;

/// What a device loads for a kernel: an image, or the parts of one that an entry needs. Each kernel has a copy of its own of the table,
/// with the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loadable {
    bytes: &'static [u8],
    /// The entry that is loaded alone.
    alone: Option<&'static str>,
}

impl Loadable {
    pub(super) fn of(image: &'static Image, entry: &'static ImageEntry) -> Self {
        Self { bytes: image.bytes, alone: (!entry.parts.is_empty()).then_some(entry.name) }
    }
}

impl Hash for Loadable {
    /// Images differ in their lengths, mostly, and are long.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.bytes.len(), self.alone).hash(state);
    }
}

/// The bytes that are loaded for an entry.
pub(super) fn loaded_bytes(image: &Image, entry: &ImageEntry) -> usize {
    image.pieces(entry).map(<[u8]>::len).sum()
}

/// The error of a device that finds no image, for a reason.
pub(super) fn missing(code: &Code, device: &str, reason: String) -> Error {
    Error::ImageMissing { kernel: code.name, device: device.into(), reason }
}

/// The images of the program, if the kernel is in any.
pub(super) fn of(code: &Code, device: &str) -> Result<&'static [Image], Error> {
    if !code.images.missing.is_empty() {
        return Err(missing(code, device, code.images.missing.into()));
    }
    if !code.images.images.iter().any(|image| image.entry(code.path).is_some()) {
        let reason = "it isn't in the images: kernels in doc tests, under `cfg(test)` or under a `cfg` of the host's aren't \
                      compiled for GPUs; set GRIDWRIGHT_DEVICE=cpu";
        return Err(missing(code, device, reason.into()));
    }
    Ok(code.images.images)
}

/// What the images are for, as errors list it.
pub(super) fn architectures(images: &[Image]) -> String {
    let name = |image: &Image| match image.kind {
        ImageKind::Cubin => format!("{} (a cubin)", image.architecture),
        ImageKind::Ptx | ImageKind::CodeObject => image.architecture.to_owned(),
    };
    let names: Vec<_> = images.iter().map(name).collect();
    if names.is_empty() { "no images".into() } else { format!("images for {}", names.join(", ")) }
}
