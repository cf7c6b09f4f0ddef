//! Vectors of both formats.

use gridwright_core::VectorElement;

use super::{Bf16, F16};

macro_rules! vectors {
    ($($lanes:literal $alignment:ident $bytes:literal;)*) => {$(
        /// A type with the alignment of such a vector.
        #[derive(Clone, Copy, Debug)]
        #[repr(align($bytes))]
        pub struct $alignment;

        // SAFETY: so many bytes.
        unsafe impl VectorElement<$lanes> for F16 {
            type Alignment = $alignment;
        }

        // SAFETY: so many bytes, as of `F16`.
        unsafe impl VectorElement<$lanes> for Bf16 {
            type Alignment = $alignment;
        }
    )*};
}

vectors! {
    2 To4 4;
    4 To8 8;
    8 To16 16;
}
