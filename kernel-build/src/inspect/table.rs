//! The tables that [`crate::table`] writes, read back.

use std::path::PathBuf;

use super::{BuiltImage, BuiltKernel};
use crate::architecture::Architecture;

/// What a table lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) images: Vec<BuiltImage>,
    /// Machine code that was made of images among them.
    pub(super) assembled: Vec<BuiltImage>,
    pub(super) missing: Option<String>,
}

impl Listed {
    /// Images, or machine code of some.
    fn of(&mut self, is_assembled: bool) -> &mut Vec<BuiltImage> {
        if is_assembled { &mut self.assembled } else { &mut self.images }
    }
}

/// Reads a table. A text that isn't one lists nothing.
pub(super) fn read(text: &str) -> Listed {
    let mut listed = Listed::default();
    // Whether the last image is machine code of another.
    let mut is_assembled = false;
    let mut rest = text;
    // Strings hold anything, and are stepped over whole.
    while let Some(at) = rest.find('"') {
        let (before, quoted) = rest.split_at(at);
        let Some((value, after)) = literal(quoted) else { break };
        rest = after;
        if before.ends_with("missing: ") || before.ends_with("compile_error!(") {
            listed.missing = Some(value).filter(|text| !text.is_empty());
        } else if before.ends_with("Image { architecture: ") {
            let Ok(architecture) = Architecture::parse(&value) else { continue };
            listed.images.push(BuiltImage { architecture, path: PathBuf::new(), kernels: Vec::new() });
        } else if before.ends_with("include_bytes!(")
            && let Some(image) = listed.images.pop_if(|image| image.path.as_os_str().is_empty())
        {
            is_assembled = before.contains("ImageKind::Cubin");
            listed.of(is_assembled).push(BuiltImage { path: PathBuf::from(value), ..image });
        } else if before.ends_with("ImageEntry { name: ")
            && let Some(image) = listed.of(is_assembled).last_mut()
        {
            image.kernels.push(BuiltKernel { path: value.clone(), entry: value });
        } else if before.ends_with(", path: ")
            && let Some(kernel) =
                listed.of(is_assembled).last_mut().and_then(|image| image.kernels.last_mut())
        {
            kernel.path = value;
        }
    }
    listed.images.retain(|image| !image.path.as_os_str().is_empty());
    listed
}

/// The value of the string literal that a text begins with, and what comes after it.
fn literal(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.strip_prefix('"')?.chars();
    loop {
        match letters.next()? {
            '"' => return Some((value, letters.as_str())),
            '\\' => value.push(match letters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let (number, after) = letters.as_str().strip_prefix('{')?.split_once('}')?;
                    letters = after.chars();
                    char::from_u32(u32::from_str_radix(number, 16).ok()?)?
                }
                itself => itself,
            }),
            letter => value.push(letter),
        }
    }
}
