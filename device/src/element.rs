use gridwright_core::{KernelArg, Vector, VectorElement};
use gridwright_math::int::{I8x4, I16x2, U8x4, U16x2};
use gridwright_math::random::Sobol;
use gridwright_math::{Bf16, Bf16x2, F16, F16x2};

/// A [`KernelArg`] that isn't an array: the element of fixed arrays in workgroup memory, so that `[[T; N]; M]` has two
/// axes and no more.
///
/// # Safety
/// It isn't an array.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Implements it, too.
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Body {
///     position: [f32; 3],
///     mass: f32,
/// }
///
/// #[gpu_kernel(block = 64)]
/// fn step(g: &Group, bodies: &[Body], mut tile: Workgroup<[Body; 64]>) {
///     g.load(&mut tile, bodies, 0);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a fixed array in workgroup memory can't hold `{Self}`",
    note = "it holds numbers and `#[derive(KernelArg)]` structs, along up to three axes: `[[[T; N]; M]; L]`"
)]
pub unsafe trait ArrayElement: KernelArg {}

macro_rules! elements {
    ($($element:ty)*) => {$(
        // SAFETY: it isn't an array.
        unsafe impl ArrayElement for $element {}
    )*};
}

elements!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);
elements!(F16 Bf16 F16x2 Bf16x2 U8x4 I8x4 U16x2 I16x2 Sobol);

// SAFETY: it isn't an array.
unsafe impl<T: VectorElement<N>, const N: usize> ArrayElement for Vector<T, N> {}

#[cfg(feature = "half")]
elements!(half::f16 half::bf16);

#[cfg(feature = "glam")]
elements! {
    glam::Vec2 glam::Vec3 glam::Vec4 glam::Quat glam::Mat4 glam::DVec2 glam::DVec3 glam::DVec4
    glam::IVec2 glam::IVec3 glam::IVec4 glam::UVec2 glam::UVec3 glam::UVec4
    glam::Mat3 glam::DMat2 glam::DMat3 glam::DMat4
}
