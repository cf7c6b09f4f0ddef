use std::fmt;

use crate::Format;

/// Why bytes can't be read as an image.
///
/// ```
/// use gridwright_image::{Image, ImageError};
///
/// assert_eq!(Image::read(b"\xff\xfe"), Err(ImageError::Unknown));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// The bytes are of none of the formats.
    Unknown,
    /// The bytes are several code objects packed into one file, as hipcc does it unless it is told otherwise.
    Bundle,
    /// The bytes are a code object, and this crate was built without its feature `code-object`.
    CodeObjectsLeftOut,
    /// The bytes are cut short, or contradict themselves.
    Malformed {
        /// What the bytes seemed to be.
        format: Format,
        /// What is wrong.
        reason: String,
    },
}

impl ImageError {
    pub(crate) fn malformed(format: Format, reason: impl Into<String>) -> Self {
        Self::Malformed { format, reason: reason.into() }
    }
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("it is neither PTX nor a cubin nor a code object"),
            Self::Bundle => f.write_str(
                "it is a bundle of code objects: compile for one architecture, with `--no-gpu-bundle-output`",
            ),
            Self::CodeObjectsLeftOut => {
                f.write_str("it is a code object, and `gridwright-image` was built without `code-object`")
            }
            Self::Malformed { format, reason } => write!(f, "can't be read as {format}: {reason}"),
        }
    }
}

impl std::error::Error for ImageError {}
