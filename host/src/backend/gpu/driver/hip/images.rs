//! Which code object a device runs.

#[cfg(test)]
mod tests;

use gridwright_core::{Image, ImageKind};

use crate::Error;
use crate::backend::gpu::images;
use crate::submission::Code;

/// Generic architectures and what they run on: those that rustc 1.97 compiles for, by the table *AMDGPU Generic Processors* of
/// <https://llvm.org/docs/AMDGPUUsage.html> as of LLVM 22. All are of version 1, so that the version says nothing.
const GENERIC: [(&str, &[&str]); 6] = [
    ("gfx9-generic", &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"]),
    ("gfx9-4-generic", &["gfx940", "gfx941", "gfx942", "gfx950"]),
    ("gfx10-1-generic", &["gfx1010", "gfx1011", "gfx1012", "gfx1013"]),
    ("gfx10-3-generic", &["gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"]),
    (
        "gfx11-generic",
        &["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"],
    ),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// The image for the device's own architecture, or else for a generic one that it is of. `architecture` is what the runtime calls
/// it, with the settings that the device has: `gfx942:sramecc+:xnack-`.
pub(super) fn best(code: &Code, device: &str, architecture: &str) -> Result<&'static Image, Error> {
    let images = images::of(code, device)?;
    let target = Target::parse(architecture);
    let fitting = images.iter().filter(|image| image.kind == ImageKind::CodeObject);
    let fitting = fitting.filter(|image| image.entry(code.path).is_some());
    let fitting = fitting.filter_map(|image| Some((target.fit(image.architecture)?, image)));
    // The first of those that fit as well.
    let best = fitting.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, image)| image).ok_or_else(|| {
        let own = target.name;
        let remedy = match generic(own) {
            _ if code.is_foreign() => {
                format!("compile it for `{own}`, and name that image in `foreign_kernels`")
            }
            generic => {
                let or = generic
                    .map(|name| format!(" (or `{name}`, for all of its family, which takes HIP 6.3 or newer)"));
                format!(
                    "add `{own}`{} to `architectures` in [package.metadata.gridwright], or to GRIDWRIGHT_ARCHITECTURES when \
                     building, or set GRIDWRIGHT_DEVICE=cpu",
                    or.unwrap_or_default()
                )
            }
        };
        let has = images::architectures(images);
        images::missing(code, device, format!("the device is {architecture}, and the program has {has}; {remedy}"))
    })
}

/// The generic architecture that runs on one.
fn generic(architecture: &str) -> Option<&'static str> {
    GENERIC.iter().find(|(_, members)| members.contains(&architecture)).map(|(generic, _)| *generic)
}

/// An architecture with settings: of a device, what it has; of an image, what it needs.
struct Target<'t> {
    name: &'t str,
    /// Settings, such as `xnack+` and `sramecc-`.
    settings: Vec<&'t str>,
}

impl<'t> Target<'t> {
    fn parse(text: &'t str) -> Self {
        let mut parts = text.split(':');
        Self { name: parts.next().unwrap_or_default(), settings: parts.collect() }
    }

    /// How well an image for an architecture runs on a device of this one, if it does: better, if it is for it alone, and, of two
    /// such, if it was made for more of the device's settings. Ours are made for any.
    fn fit(&self, image: &str) -> Option<(bool, usize)> {
        let image = Target::parse(image);
        let is_own = image.name == self.name;
        let runs = is_own || generic(self.name) == Some(image.name);
        let has_all = image.settings.iter().all(|setting| self.settings.contains(setting));
        (runs && has_all).then_some((is_own, image.settings.len()))
    }
}
