#[cfg(feature = "emulator")]
use gridwright_core::ImageEntry;
use gridwright_core::{Image, ImageKind};

use super::{architectures, missing, of};
use crate::Error;
use crate::submission::Code;

/// The image for the newest architecture that the device can run. An older one's PTX runs too; a cubin of the same
/// generation does, and needs no compiling.
pub(in crate::backend::gpu) fn best(
    code: &Code,
    device: &str,
    capability: usize,
    takes_cubins: bool,
) -> Result<&'static Image, Error> {
    let images = of(code, device)?;
    let runs = |image: &&'static Image| match image.kind {
        ImageKind::Ptx => version(image) <= capability,
        ImageKind::Cubin => {
            takes_cubins && version(image) <= capability && version(image) / 10 == capability / 10
        }
        ImageKind::CodeObject => false,
    };
    let has_it = |image: &&'static Image| image.entry(code.path).is_some();
    let best = images.iter().filter(has_it).filter(runs);
    best.max_by_key(|image| (version(image), image.kind == ImageKind::Cubin)).ok_or_else(|| {
        let remedy = if code.is_foreign() {
            "compile it for this architecture, or to PTX of it or of an older one, and name that image in \
             `foreign_kernels`"
                .into()
        } else {
            format!(
                "add `sm_{capability}` or an older architecture to `architectures` in [package.metadata.gridwright], or to \
                 GRIDWRIGHT_ARCHITECTURES when building, or set GRIDWRIGHT_DEVICE=cpu"
            )
        };
        let has = architectures(images);
        missing(code, device, format!("the device is sm_{capability}, and the program has {has}; {remedy}"))
    })
}

/// The PTX that an entry needs, each line at the number that it has in the image: reports name lines.
#[cfg(feature = "emulator")]
pub(in crate::backend::gpu) fn in_place(image: &Image, entry: &ImageEntry) -> Vec<u8> {
    if entry.parts.is_empty() {
        return image.bytes.to_vec();
    }
    let bytes = |from: u32, to: u32| image.bytes.get(from as usize..to as usize).unwrap_or_default();
    let (mut text, mut end) = (Vec::new(), 0);
    for &[from, to] in entry.parts {
        text.extend(bytes(end, from).iter().filter(|&&byte| byte == b'\n'));
        text.extend_from_slice(bytes(from, to));
        end = to;
    }
    text
}

/// The number in `sm_80`; one with a letter, `sm_90a`, runs on its own architecture only and isn't taken.
fn version(image: &Image) -> usize {
    image.architecture.strip_prefix("sm_").and_then(|version| version.parse().ok()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use gridwright_core::{CpuCode, CpuEntry, Image, ImageEntry, ImageKind, Images, Isa, LaunchSizes};

    use super::best;
    use crate::submission::Code;

    const fn image(architecture: &'static str, kind: ImageKind) -> Image {
        const ENTRY: ImageEntry =
            ImageEntry { name: "add", path: "add", parameters: &[], layout: &[], parts: &[] };
        Image { architecture, compiled_for: architecture, kind, bytes: &[], entries: &[ENTRY], panics: &[] }
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
        cpu: CpuCode::All,
    };

    const fn code(images: &'static Images) -> Code {
        unsafe fn never(_: Isa, _: &LaunchSizes, _: std::ops::Range<usize>, _: *const ()) {}
        Code::for_tests(CpuEntry::Groups(never), images)
    }

    fn says(kernel: &Code, capability: usize) -> String {
        best(kernel, "a GPU", capability, true).expect_err("there is no image").to_string()
    }

    #[test]
    fn the_newest_that_runs_is_taken() {
        let kernel = code(&IMAGES);
        let taken =
            |capability| best(&kernel, "a GPU", capability, true).ok().map(|image| image.architecture);
        assert_eq!(taken(80), Some("sm_80"));
        assert_eq!(taken(89), Some("sm_80"));
        assert_eq!(taken(90), Some("sm_90"));
        assert_eq!(taken(120), Some("sm_100"));
    }

    #[test]
    fn a_cubin_runs_on_its_generation_only() {
        static CUBINS: Images = Images {
            missing: "",
            images: &[
                image("sm_80", ImageKind::Cubin),
                image("sm_80", ImageKind::Ptx),
                image("sm_86", ImageKind::Cubin),
                image("sm_90", ImageKind::Cubin),
            ],
            cpu: CpuCode::All,
        };
        let kernel = code(&CUBINS);
        let taken = |capability, cubins| {
            let image = best(&kernel, "a GPU", capability, cubins).ok();
            image.map(|image| (image.architecture, image.kind))
        };
        assert_eq!(taken(80, true), Some(("sm_80", ImageKind::Cubin)));
        assert_eq!(taken(89, true), Some(("sm_86", ImageKind::Cubin)));
        assert_eq!(taken(90, true), Some(("sm_90", ImageKind::Cubin)));
        assert_eq!(taken(90, false), Some(("sm_80", ImageKind::Ptx)));
        assert_eq!(taken(100, true), Some(("sm_80", ImageKind::Ptx)));
        assert!(says(&kernel, 75).contains("images for sm_80 (a cubin), sm_80, sm_86 (a cubin)"));
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
            Images { missing: "add two lines; or set GRIDWRIGHT_DEVICE=cpu", images: &[], cpu: CpuCode::All };
        let said = says(&code(&MISSING), 90);
        assert_eq!(said, "kernel `add` can't run on `a GPU`: add two lines; or set GRIDWRIGHT_DEVICE=cpu");
    }

    #[test]
    #[cfg(feature = "emulator")]
    fn what_a_kernel_needs_stays_at_its_lines() {
        let of = |parts: &'static [[u32; 2]]| {
            let entry = ImageEntry { name: "add", path: "add", parameters: &[], layout: &[], parts };
            let image = Image { bytes: b"head\na\nb\nc\n", ..image("sm_80", ImageKind::Ptx) };
            String::from_utf8(super::in_place(&image, &entry)).expect("it is text")
        };
        assert_eq!(of(&[[0, 5], [9, 11]]), "head\n\n\nc\n");
        assert_eq!(of(&[[0, 5], [7, 9]]), "head\n\nb\n");
        assert_eq!(of(&[]), "head\na\nb\nc\n");
    }

    #[test]
    fn what_is_loaded_is_told_apart() {
        use crate::backend::gpu::images::{Loadable, loaded_bytes};
        static IMAGE: Image = Image { bytes: b"test a b", ..image("sm_80", ImageKind::Ptx) };
        static A: ImageEntry =
            ImageEntry { name: "a", path: "a", parameters: &[], layout: &[], parts: &[[0, 5], [5, 6]] };
        static B: ImageEntry =
            ImageEntry { name: "b", path: "b", parameters: &[], layout: &[], parts: &[[0, 5], [7, 8]] };
        static C: ImageEntry = ImageEntry { name: "c", path: "c", parameters: &[], layout: &[], parts: &[] };
        static D: ImageEntry = ImageEntry { name: "d", path: "d", parameters: &[], layout: &[], parts: &[] };
        let [a, b, c, d] = [&A, &B, &C, &D].map(|entry| Loadable::of(&IMAGE, entry));
        assert!(a == a && a != b && a != c && c == d, "without parts the image is loaded once");
        assert_eq!([&A, &B, &C].map(|entry| loaded_bytes(&IMAGE, entry)), [6, 6, 8]);
        assert!(IMAGE.may_have(&A, "a") && !IMAGE.may_have(&B, "a") && IMAGE.may_have(&C, "b"));
    }

    #[test]
    fn a_kernel_that_was_not_compiled_for_devices_is_named() {
        static OTHERS: Images = Images {
            missing: "",
            images: &[Image { entries: &[], ..image("sm_80", ImageKind::Ptx) }],
            cpu: CpuCode::All,
        };
        assert!(says(&code(&OTHERS), 90).contains("kernels in doc tests"));
    }
}
