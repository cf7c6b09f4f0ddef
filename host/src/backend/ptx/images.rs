use gridwright_core::{Image, ImageKind};

use crate::Error;
use crate::backend::Code;

/// The PTX for the newest architecture that the device has: an older one's runs too.
pub(in crate::backend) fn best(
    code: &Code,
    device: &str,
    capability: usize,
) -> Result<&'static Image, Error> {
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

#[cfg(test)]
mod tests {
    use gridwright_core::{Image, ImageEntry, ImageKind, Images};
    use gridwright_device::arch::{self, Cpu, Isa};

    use super::best;
    use crate::backend::Code;

    const fn image(architecture: &'static str, kind: ImageKind) -> Image {
        const ENTRY: ImageEntry = ImageEntry { name: "add", parameters: &[], layout: &[] };
        Image { architecture, kind, bytes: &[], entries: &[ENTRY] }
    }

    static IMAGES: Images = Images {
        missing: "",
        images: &[
            image("gfx1100", ImageKind::CodeObject),
            image("sm_80", ImageKind::Ptx),
            image("sm_90a", ImageKind::Ptx),
            image("sm_90", ImageKind::Ptx),
            image("sm_100", ImageKind::Ptx),
        ],
    };

    const fn code(images: &'static Images) -> Code {
        unsafe fn never(_: Isa, _: &arch::Launch, _: std::ops::Range<usize>, _: *const ()) {}
        Code::for_tests(Cpu::Groups(never), images)
    }

    fn says(kernel: &Code, capability: usize) -> String {
        best(kernel, "a GPU", capability).expect_err("there is no image").to_string()
    }

    #[test]
    fn the_newest_that_runs_is_taken() {
        let kernel = code(&IMAGES);
        let taken = |capability| best(&kernel, "a GPU", capability).ok().map(|image| image.architecture);
        assert_eq!(taken(80), Some("sm_80"));
        assert_eq!(taken(89), Some("sm_80"));
        assert_eq!(taken(90), Some("sm_90"));
        assert_eq!(taken(120), Some("sm_100"));
    }

    #[test]
    fn an_older_device_is_told_what_to_build() {
        let said = says(&code(&IMAGES), 75);
        assert!(said.contains("the device is sm_75") && said.contains("images for gfx1100, sm_80"), "{said}");
        assert!(
            said.contains("GRIDWRIGHT_ARCHITECTURES") && said.ends_with("or set GRIDWRIGHT_DEVICE=cpu"),
            "{said}"
        );
    }

    #[test]
    fn without_images_the_reason_is_passed_on() {
        static MISSING: Images =
            Images { missing: "add two lines; or set GRIDWRIGHT_DEVICE=cpu", images: &[] };
        let said = says(&code(&MISSING), 90);
        assert_eq!(said, "kernel `add` can't run on `a GPU`: add two lines; or set GRIDWRIGHT_DEVICE=cpu");
    }

    #[test]
    fn a_kernel_that_was_not_compiled_for_devices_is_named() {
        static OTHERS: Images =
            Images { missing: "", images: &[Image { entries: &[], ..image("sm_80", ImageKind::Ptx) }] };
        assert!(says(&code(&OTHERS), 90).contains("kernels in doc tests"));
    }
}
