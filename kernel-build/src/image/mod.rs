//! Stage 6, *image*: an image's bytes → the bytes to ship, its kernels with their parameters and layout records.

mod code_object;
mod launch_bounds;
mod ptx;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::architecture::Family;

/// The macros export what the device compiler knows of a kernel's arguments under this name, with
/// the kernel's after it.
const LAYOUT_PREFIX: &str = "__gridwright_layout_";

/// What is in an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The kernels, in the order of the image.
    pub entries: Vec<Entry>,
    /// Symbols that the image uses and doesn't have.
    pub unresolved: Vec<String>,
    /// Kernels whose need of stack is only known when they run.
    pub dynamic_stacks: Vec<String>,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name for the driver.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Its layout record, if it has one.
    pub layout: Vec<u64>,
}

/// Where a parameter lies in the argument block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Bytes from the start of the block.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// An image that can't be read: what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// Reads an image of either family.
///
/// # Errors
/// Bytes that are no image of the family, or one that is cut short or contradicts itself.
pub fn read(family: Family, bytes: &[u8]) -> Result<Image, Malformed> {
    match family {
        Family::Nvidia => ptx::read(text(bytes)?),
        Family::Amd => code_object::read(bytes),
    }
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

fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes).map_err(|e| Malformed(format!("the PTX is not text: {e}")))
}

/// Gives each kernel its record.
fn attach_layouts(entries: &mut [Entry], mut records: BTreeMap<String, Vec<u8>>) -> Result<(), Malformed> {
    for entry in entries {
        if let Some(bytes) = records.remove(&entry.name) {
            let (words, rest) = bytes.as_chunks::<8>();
            if !rest.is_empty() {
                return Err(Malformed(format!("the layout record of `{}` is not whole words", entry.name)));
            }
            entry.layout = words.iter().map(|w| u64::from_le_bytes(*w)).collect();
        }
    }
    Ok(())
}
