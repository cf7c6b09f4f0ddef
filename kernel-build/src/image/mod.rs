//! Stage 6, *image*: an image's bytes → the bytes to ship, its kernels with their parameters and layout records.

mod launch_bounds;
mod sizes;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use gridwright_image::code_object::CodeObject;
use gridwright_image::ptx::{self, Module};
use gridwright_image::{Format, ImageError, Parameter};

use crate::architecture::{Architecture, Family};
pub(crate) use sizes::MOST_STACK_BYTES;

/// The macros export what the device compiler knows of a kernel's arguments under this name, with
/// the kernel's after it.
const LAYOUT_PREFIX: &str = "__gridwright_layout_";

/// Functions that NVIDIA's driver brings.
const FROM_DRIVER: [&str; 4] = ["vprintf", "__assertfail", "malloc", "free"];

/// What is in an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    /// The kernels, in the order of the image.
    pub(crate) entries: Vec<Entry>,
    /// Symbols that the image uses and doesn't have.
    pub(crate) unresolved: Vec<String>,
    /// Kernels whose need of stack is only known when they run.
    pub(crate) dynamic_stacks: Vec<String>,
    /// The most bytes that the parameters of one of its kernels may have, where that is less than what passes them.
    pub(crate) most_parameter_bytes: Option<u32>,
    /// Functions that need more stack than a thread has, and how many bytes.
    pub(crate) large_stacks: Vec<(String, u64)>,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The kernel's name for the driver.
    pub(crate) name: String,
    /// The kernel's path in its crate; where it isn't known, the name.
    pub(crate) path: String,
    /// The kernel's parameters in order.
    pub(crate) parameters: Vec<Parameter>,
    /// Its layout record, if it has one.
    pub(crate) layout: Vec<u64>,
    /// The parts of PTX that the kernel needs.
    pub(crate) parts: Vec<Range<usize>>,
}

/// An image that can't be used: what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ImageError> for Malformed {
    fn from(error: ImageError) -> Self {
        Self(error.to_string())
    }
}

/// Reads the image that was compiled for an architecture.
///
/// # Errors
/// Bytes that are no image of the family, one that is cut short or contradicts itself, or one for another architecture.
pub(crate) fn read(architecture: &Architecture, bytes: &[u8]) -> Result<Image, Malformed> {
    let mut image = Image::default();
    let mut records = BTreeMap::new();
    let found;
    match architecture.family() {
        Family::Nvidia => {
            let module = Module::read(text(bytes)?)?;
            for variable in &module.variables {
                if let Some(kernel) = variable.name.strip_prefix(LAYOUT_PREFIX) {
                    records.insert(kernel, variable.bytes()?);
                }
            }
            let is_missing = |name: &&&str| !FROM_DRIVER.contains(name);
            image.unresolved = module.externals.iter().filter(is_missing).map(|&name| name.into()).collect();
            found = module.architecture.to_owned();
            image.most_parameter_bytes = Some(sizes::most_parameter_bytes(module.version));
            image.large_stacks = sizes::large_stacks(text(bytes)?);
            image.entries = entries(gridwright_image::Image::from(module));
        }
        Family::Amd => {
            let object = CodeObject::read(bytes)?;
            for symbol in &object.symbols {
                if let Some(kernel) = symbol.name.strip_prefix(LAYOUT_PREFIX) {
                    let cut = || Malformed(format!("the layout record of `{kernel}` is cut short"));
                    records.insert(kernel, symbol.bytes.ok_or_else(cut)?.to_owned());
                }
            }
            image.unresolved = object.undefined.iter().map(|&name| name.into()).collect();
            let dynamic = object.kernels.iter().filter(|kernel| kernel.uses_dynamic_stack);
            image.dynamic_stacks = dynamic.map(|kernel| kernel.name.clone()).collect();
            found = object.target.architecture.clone();
            image.entries = entries(gridwright_image::Image::from(object));
        }
    }
    if found != architecture.name() {
        let wanted = architecture.name();
        return Err(Malformed(format!("the compiler was asked for {wanted}, and its image is for {found}")));
    }
    attach_layouts(&mut image.entries, &records)?;
    Ok(image)
}

/// The image to ship: PTX says what its kernels demand of a launch. A code object can't be told.
///
/// # Errors
/// PTX that can't be read, and demands that contradict each other.
pub(crate) fn with_launch_bounds(family: Family, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Malformed> {
    match family {
        Family::Nvidia => Ok(match launch_bounds::state(text(bytes)?)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }),
        Family::Amd => Ok(Cow::Borrowed(bytes)),
    }
}

/// Notes for each kernel of an image the parts that it needs of the PTX to ship.
///
/// # Errors
/// PTX that can't be read.
pub(crate) fn take_apart(image: &mut Image, ptx: &str) -> Result<(), Malformed> {
    let mut parts = ptx::parts(ptx)?;
    for entry in &mut image.entries {
        entry.parts = parts.remove(&*entry.name).unwrap_or_default();
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes).map_err(|e| Malformed(format!("the {} is not text: {e}", Format::Ptx)))
}

fn entries(image: gridwright_image::Image) -> Vec<Entry> {
    let entry = |entry: gridwright_image::Entry| Entry {
        path: entry.name.clone(),
        name: entry.name,
        parameters: entry.parameters,
        ..Entry::default()
    };
    image.entries.into_iter().map(entry).collect()
}

/// Gives each kernel its record.
fn attach_layouts(entries: &mut [Entry], records: &BTreeMap<&str, Vec<u8>>) -> Result<(), Malformed> {
    for entry in entries {
        if let Some(bytes) = records.get(&*entry.name) {
            let (words, rest) = bytes.as_chunks::<8>();
            if !rest.is_empty() {
                return Err(Malformed(format!("the layout record of `{}` is not whole words", entry.name)));
            }
            entry.layout = words.iter().map(|w| u64::from_le_bytes(*w)).collect();
        }
    }
    Ok(())
}
