use gridwright_core::{CpuCode, CpuEntry, Image, ImageEntry, ImageKind, Images, Isa, LaunchSizes};

use super::{GENERIC, best};
use crate::submission::Code;

const fn image(architecture: &'static str) -> Image {
    const ENTRY: ImageEntry =
        ImageEntry { name: "add", path: "add", parameters: &[], layout: &[], parts: &[] };
    Image {
        architecture,
        compiled_for: architecture,
        kind: ImageKind::CodeObject,
        bytes: &[],
        entries: &[ENTRY],
        panics: &[],
    }
}

const fn code(images: &'static Images) -> Code {
    unsafe fn never(_: Isa, _: &LaunchSizes, _: std::ops::Range<usize>, _: *const ()) {}
    Code::for_tests(CpuEntry::Groups(never), images)
}

fn taken(code: &Code, architecture: &str) -> Option<&'static str> {
    best(code, "a GPU", architecture).ok().map(|image| image.architecture)
}

fn says(code: &Code, architecture: &str) -> String {
    best(code, "a GPU", architecture).expect_err("there is no image").to_string()
}

static IMAGES: Images = Images {
    missing: "",
    images: &[
        Image { kind: ImageKind::Ptx, ..image("sm_80") },
        image("gfx11-generic"),
        image("gfx942"),
        image("gfx1100"),
        image("gfx9-4-generic"),
    ],
    cpu: CpuCode::All,
};

#[test]
fn its_own_architecture_comes_before_a_generic_one() {
    let kernel = code(&IMAGES);
    assert_eq!(taken(&kernel, "gfx1100"), Some("gfx1100"));
    assert_eq!(taken(&kernel, "gfx942:sramecc+:xnack-"), Some("gfx942"));
    assert_eq!(taken(&kernel, "gfx1151"), Some("gfx11-generic"));
    assert_eq!(taken(&kernel, "gfx950:sramecc+:xnack+"), Some("gfx9-4-generic"));
    for other in ["gfx90a:sramecc+:xnack-", "gfx1030", "gfx1200", "gfx11", "gfx", ""] {
        assert_eq!(taken(&kernel, other), None, "{other}");
    }
}

#[test]
fn every_device_of_a_generic_architecture_takes_it() {
    for (generic, members) in GENERIC {
        let image = Box::leak(Box::new([image(generic)]));
        let kernel = code(Box::leak(Box::new(Images { missing: "", images: image, cpu: CpuCode::All })));
        for member in members {
            assert_eq!(taken(&kernel, member), Some(generic));
            let others = GENERIC.iter().filter(|(other, _)| *other != generic);
            assert!(others.into_iter().all(|(_, members)| !members.contains(member)), "{member}");
        }
    }
}

#[test]
fn an_image_that_counts_on_a_setting_runs_only_with_it() {
    static SETTINGS: Images = Images {
        missing: "",
        images: &[
            image("gfx90a:xnack+"),
            image("gfx90a"),
            image("gfx90a:xnack-"),
            image("gfx908:sramecc+:xnack-"),
        ],
        cpu: CpuCode::All,
    };
    let kernel = code(&SETTINGS);
    assert_eq!(taken(&kernel, "gfx90a:sramecc+:xnack+"), Some("gfx90a:xnack+"));
    assert_eq!(taken(&kernel, "gfx90a:sramecc+:xnack-"), Some("gfx90a:xnack-"));
    // A runtime that says nothing of them.
    assert_eq!(taken(&kernel, "gfx90a"), Some("gfx90a"));
    assert_eq!(taken(&kernel, "gfx908:sramecc+:xnack-"), Some("gfx908:sramecc+:xnack-"));
    assert_eq!(taken(&kernel, "gfx908:sramecc-:xnack-"), None);
    let said = says(&kernel, "gfx908:sramecc-:xnack-");
    assert!(said.contains("is gfx908:sramecc-:xnack-") && said.contains("add `gfx908` to"), "{said}");
}

#[test]
fn a_device_without_an_image_is_told_what_to_build() {
    let said = says(&code(&IMAGES), "gfx1030");
    assert_eq!(
        said,
        "kernel `add` can't run on `a GPU`: the device is gfx1030, and the program has images for sm_80, gfx11-generic, \
         gfx942, gfx1100, gfx9-4-generic; add `gfx1030` (or `gfx10-3-generic`, for all of its family, which takes HIP 6.3 or \
         newer) to `architectures` in [package.metadata.gridwright], or to GRIDWRIGHT_ARCHITECTURES when building, or set \
         GRIDWRIGHT_DEVICE=cpu"
    );
    let said = says(&code(&IMAGES), "gfx90a:sramecc+:xnack-");
    assert!(said.contains("add `gfx90a` to `architectures`"), "there is no generic one: {said}");
}

#[test]
fn a_foreign_kernel_is_to_be_compiled_elsewhere() {
    let foreign = Code::for_tests(CpuEntry::Foreign, &IMAGES);
    let said = says(&foreign, "gfx1030");
    assert!(said.ends_with("compile it for `gfx1030`, and name that image in `foreign_kernels`"), "{said}");
}

#[test]
fn only_an_image_with_the_kernel_is_taken() {
    static SOME: Images = Images {
        missing: "",
        images: &[Image { entries: &[], ..image("gfx1100") }, image("gfx11-generic")],
        cpu: CpuCode::All,
    };
    assert_eq!(taken(&code(&SOME), "gfx1100"), Some("gfx11-generic"));
    static NONE: Images =
        Images { missing: "", images: &[Image { entries: &[], ..image("gfx1100") }], cpu: CpuCode::All };
    assert!(says(&code(&NONE), "gfx1100").contains("kernels in doc tests"));
}

#[test]
fn without_images_the_reason_is_passed_on() {
    static MISSING: Images =
        Images { missing: "add two lines; or set GRIDWRIGHT_DEVICE=cpu", images: &[], cpu: CpuCode::All };
    let said = says(&code(&MISSING), "gfx1100");
    assert_eq!(said, "kernel `add` can't run on `a GPU`: add two lines; or set GRIDWRIGHT_DEVICE=cpu");
}
