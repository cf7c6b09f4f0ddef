use gridwright_core::{Image, ImageKind};

use crate::Error;
use crate::backend::Code;

/// The code object for a device's architecture, as HIP tells it.
pub(super) fn best(code: &Code, device: &str, architecture: &str) -> Result<&'static Image, Error> {
    let missing = |reason: String| Error::ImageMissing { kernel: code.name, device: device.into(), reason };
    if !code.images.missing.is_empty() {
        return Err(missing(code.images.missing.into()));
    }
    let name = architecture.split(':').next().unwrap_or(architecture);
    let mut objects = code.images.images.iter().filter(|image| image.kind == ImageKind::CodeObject);
    objects.find(|image| image.architecture == name).ok_or_else(|| {
        missing(format!(
            "the program has no image for {name}; add `{name}` to `architectures` in [package.metadata.gridwright], or to \
             GRIDWRIGHT_ARCHITECTURES when building, or set GRIDWRIGHT_DEVICE=cpu"
        ))
    })
}
