use gridwright_core::{Image, ImageKind};

use crate::Error;
use crate::backend::Code;

/// The PTX for the newest architecture that the device has: an older one's runs too.
pub(super) fn best(code: &Code, device: &str, capability: usize) -> Result<&'static Image, Error> {
    let missing = |reason: String| Error::ImageMissing { kernel: code.name, device: device.into(), reason };
    if !code.images.missing.is_empty() {
        return Err(missing(code.images.missing.into()));
    }
    if !code.images.images.iter().any(|image| image.entry(code.symbol).is_some()) {
        return Err(missing(
            "it isn't in the images: kernels in doc tests, under `cfg(test)` or under a `cfg` of the host's aren't \
             compiled for GPUs; set GRIDWRIGHT_DEVICE=cpu"
                .into(),
        ));
    }
    let ptx = code.images.images.iter().filter(|image| image.kind == ImageKind::Ptx);
    ptx.filter(|image| version(image) <= capability).max_by_key(|image| version(image)).ok_or_else(|| {
        missing(format!(
            "the device is sm_{capability}, and the program has {}; add `sm_{capability}` or an older architecture to \
             `architectures` in [package.metadata.gridwright], or to GRIDWRIGHT_ARCHITECTURES when building, or set \
             GRIDWRIGHT_DEVICE=cpu",
            architectures(code)
        ))
    })
}

/// The number in `sm_80`; one with a letter, `sm_90a`, runs on its own architecture only and isn't taken.
fn version(image: &Image) -> usize {
    image.architecture.strip_prefix("sm_").and_then(|version| version.parse().ok()).unwrap_or(usize::MAX)
}

fn architectures(code: &Code) -> String {
    let names: Vec<_> = code.images.images.iter().map(|image| image.architecture).collect();
    if names.is_empty() { "no images".into() } else { format!("images for {}", names.join(", ")) }
}
