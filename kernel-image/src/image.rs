use std::fmt;

use crate::cubin::Cubin;
use crate::ptx::Module;
use crate::{ImageError, cubin};

/// How an ELF file begins, which cubins and code objects are.
const ELF: &[u8] = b"\x7fELF";

/// How clang's bundles of code objects begin, plain and compressed.
/// See <https://clang.llvm.org/docs/ClangOffloadBundler.html>.
const BUNDLES: [&[u8]; 2] = [b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"];

/// The machine in the head of AMD's ELF files, `EM_AMDGPU`.
pub(crate) const AMD: u16 = 224;

/// An image's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// NVIDIA's assembly as text, which the driver compiles.
    Ptx,
    /// NVIDIA's machine code, an ELF file.
    Cubin,
    /// AMD's machine code, an ELF file.
    CodeObject,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ptx => "PTX",
            Self::Cubin => "cubin",
            Self::CodeObject => "code object",
        })
    }
}

/// What every image says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The image's format.
    pub format: Format,
    /// What the image was compiled for: `sm_80`, `gfx942`, `gfx11-generic`. A code object that takes a
    /// setting of the device's for granted has it behind the name: `gfx90a:xnack+`.
    pub architecture: String,
    /// The image's entry points, in its order.
    pub entries: Vec<Entry>,
}

/// An entry point: what can be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The entry point's name for the driver.
    pub name: String,
    /// The entry point's parameters in order, without those that AMD's runtime fills in.
    pub parameters: Vec<Parameter>,
}

/// Where a parameter lies among an entry's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Bytes from the first argument.
    pub offset: u32,
    /// Bytes of the parameter.
    pub size: u32,
}

impl Image {
    /// Reads an image; its first bytes say of which format it is.
    ///
    /// ```
    /// use gridwright_image::Image;
    ///
    /// let error = Image::read(b"fn main() {}").unwrap_err();
    /// assert!(error.to_string().contains("no `.version`"));
    /// ```
    ///
    /// # Errors
    /// [`ImageError`], if the bytes are no image, or one that is cut short or contradicts itself.
    pub fn read(bytes: &[u8]) -> Result<Self, ImageError> {
        if BUNDLES.iter().any(|bundle| bytes.starts_with(bundle)) {
            return Err(ImageError::Bundle);
        }
        if bytes.starts_with(ELF) {
            return match machine(bytes) {
                Some(cubin::MACHINE) => Cubin::read(bytes).map(Self::from),
                Some(AMD) => code_object(bytes),
                Some(_) => Err(ImageError::Unknown),
                None => Err(ImageError::malformed(Format::Cubin, "it is an ELF file that is cut short")),
            };
        }
        let text = std::str::from_utf8(bytes).map_err(|_| ImageError::Unknown)?;
        Module::read(text).map(Self::from)
    }

    /// The entry of a name.
    ///
    /// ```
    /// use gridwright_image::Image;
    ///
    /// let image = Image::read(b".version 8.3 .target sm_80 .entry k() { ret; }").unwrap();
    /// assert!(image.entry("k").is_some() && image.entry("l").is_none());
    /// ```
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// The machine in the head of an ELF file.
fn machine(bytes: &[u8]) -> Option<u16> {
    bytes.get(18..)?.first_chunk().copied().map(u16::from_le_bytes)
}

#[cfg(feature = "code-object")]
fn code_object(bytes: &[u8]) -> Result<Image, ImageError> {
    crate::code_object::CodeObject::read(bytes).map(Image::from)
}

#[cfg(not(feature = "code-object"))]
fn code_object(_: &[u8]) -> Result<Image, ImageError> {
    Err(ImageError::CodeObjectsLeftOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_image_is_said() {
        for (bytes, said) in [
            (&b""[..], "no `.version`"),
            (b"fn main() {}", "no `.version`"),
            (b".version 8.0", "no `.target`"),
            (b".version 8.0 .target sm_80 .entry k(.param .what x) {}", "can't be read as PTX"),
            (b".version 8.0 .target sm_80 .entry k(.param .u32 x", "can't be read as PTX"),
            (b"\x7fELF", "cut short"),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\xbe\0", "can't be read as cubin"),
            (&[0xff, 0xfe, 0], "neither PTX nor a cubin"),
            (b"__CLANG_OFFLOAD_BUNDLE__\x02", "--no-gpu-bundle-output"),
            (b"CCOB\x02", "--no-gpu-bundle-output"),
        ] {
            let reason = Image::read(bytes).unwrap_err().to_string();
            assert!(reason.contains(said), "{reason}");
        }
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(Image::read(&program), Err(ImageError::Unknown));
    }
}
