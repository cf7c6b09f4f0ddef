use bytemuck::Pod;

use crate::{Kind, Layout, Uniform};

/// Alignment of a device's memory in bytes, at least, and so the most that a [`KernelArg`] may be aligned to.
/// It is a cache line of most processors.
///
/// ```
/// assert!(align_of::<u64>() <= gridwright_core::MOST_ALIGNMENT);
/// ```
pub const MOST_ALIGNMENT: usize = 64;

/// A value that host and device see alike, bit for bit: a kernel argument, or an element of device
/// memory.
///
/// Numbers, arrays of them, [`glam`](https://docs.rs/glam) vectors (feature `glam`), `f16` and `bf16`
/// of [`half`](https://docs.rs/half) (feature `half`), and structs with `#[derive(KernelArg)]`.
///
/// # Safety
/// Derive it rather than write it. An implementer promises, beyond what [`Pod`] asks (any bit
/// pattern is valid, no padding, no references, `Copy + 'static`):
///
/// 1. its layout is the same for every target: `repr(C)`, a primitive, or no bytes, and
/// 2. [`LAYOUT`](Self::LAYOUT) tells the truth, and
/// 3. it is aligned to at most [`MOST_ALIGNMENT`] bytes.
///
/// `bool` and `char` break the first of `Pod`'s rules (a byte 2 is not a `bool`), `usize`-sized
/// pointers the third, and a struct `{ a: u8, b: u32 }` the second: its three bytes of padding have
/// no value. A struct with `repr(align(128))` breaks the last above: a buffer of it needn't begin where it may lie.
///
/// A struct without fields is one too: an operator that a kernel is generic over. As a parameter it takes no bytes.
///
/// ```
/// use gridwright_core::KernelArg;
///
/// fn crosses<T: KernelArg>() {}
/// crosses::<f32>();
/// crosses::<[u16; 4]>();
/// ```
///
/// # From CUDA
/// A type that a `__global__` function takes by value, or by a pointer to it. Host and device compare its
/// layout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't cross between host and device",
    label = "not a kernel argument",
    note = "numbers, arrays of them and structs with `#[derive(Clone, Copy, KernelArg)] #[repr(C)]` can; \
            for a `bool` take a `u32`, for a `char` its `u32`, for glam's `Vec3A` a `Vec3`, for an `Option` a number that stands for \
            none, for a reference a slice of a buffer"
)]
pub unsafe trait KernelArg: Pod + Send + Sync + Uniform {
    /// The layout, as this compiler sees it.
    const LAYOUT: Layout;
}

macro_rules! primitives {
    ($($kind:ident: $($primitive:ty)*;)*) => {$($(
        // SAFETY: 1. one layout on all targets, which are all 64-bit; 2. its kind; 3. its size at most.
        unsafe impl KernelArg for $primitive {
            const LAYOUT: Layout = Layout::primitive(Kind::$kind, size_of::<$primitive>());
        }
    )*)*};
}

primitives! {
    Unsigned: u8 u16 u32 u64 u128 usize;
    Signed: i8 i16 i32 i64 i128 isize;
    Float: f32 f64;
}

// SAFETY: 1. an array is its elements, one after another; 2. of so many of them; 3. as an element is.
unsafe impl<T: KernelArg, const N: usize> KernelArg for [T; N] {
    const LAYOUT: Layout = Layout::array(N, T::LAYOUT);
}

#[cfg(feature = "half")]
mod half {
    use super::{KernelArg, Kind, Layout};

    primitives! {
        Float: half::f16;
        BrainFloat: half::bf16;
    }
}

#[cfg(feature = "glam")]
mod glam {
    use super::{KernelArg, Kind, Layout};

    // Vec3A has padding; Mat2 and what is made of it are aligned differently with and without SIMD.
    primitives! {
        Vector: glam::Vec2 glam::Vec3 glam::Vec4 glam::Quat glam::Mat4 glam::DVec2 glam::DVec3 glam::DVec4
        glam::IVec2 glam::IVec3 glam::IVec4 glam::UVec2 glam::UVec3 glam::UVec4
        glam::Mat3 glam::DMat2 glam::DMat3 glam::DMat4;
    }
}

/// A test that a field has the type that `#[derive(KernelArg)]` saw. What the field has follows from it alone: nothing is coerced.
pub const fn field<Seen, Found: Is<Seen>>(_: &Found) {}

/// A type that is `T`.
#[diagnostic::on_unimplemented(
    message = "a field is a `{Self}`, and `#[derive(KernelArg)]` saw a `{T}`",
    label = "changed behind the derive",
    note = "an attribute that changes the struct stands in front of the derive"
)]
pub trait Is<T: ?Sized> {}

impl<T: ?Sized> Is<T> for T {}
