use crate::arch;

/// Multiplies two floats and rounds the product by itself, whatever becomes of it.
///
/// On NVIDIA's GPUs a product and a sum of it are one instruction that rounds once, as nvcc does it for CUDA; on the CPU and on
/// AMD's GPUs they are two. So `a * b + c` can differ in its last bit between devices, and `a * b - a * b` can be other than zero.
/// With this product nothing is fused, and devices agree; `a.mul_add(b, c)` is the one that is fused everywhere.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::numbers::unfused_mul;
///
/// /// The cross product of vectors in the plane: zero for two of one direction, on every device.
/// #[gpu_kernel]
/// fn cross(t: Thread, a: &[[f32; 2]], b: &[[f32; 2]], mut out: PerThread<[f32]>) {
///     let (a, b) = (a[t.index()], b[t.index()]);
///     if let Some(out) = out.get_mut(t) {
///         *out = unfused_mul(a[0], b[1]) - unfused_mul(a[1], b[0]);
///     }
/// }
/// ```
///
/// # From CUDA
/// `__fmul_rn` and `__dmul_rn`.
#[inline(always)]
pub fn unfused_mul<T: Unfused>(a: T, b: T) -> T {
    T::mul(a, b)
}

/// Floats that [`unfused_mul`] multiplies: `f32` and `f64`.
///
/// ```
/// use gridwright::numbers::{Unfused, unfused_mul};
///
/// /// The determinant of two rows: zero for equal ones, on every device.
/// fn determinant<T: Unfused + Copy + core::ops::Sub<Output = T>>(a: [T; 2], b: [T; 2]) -> T {
///     unfused_mul(a[0], b[1]) - unfused_mul(a[1], b[0])
/// }
/// assert_eq!(determinant([0.1_f32, 0.7], [0.1, 0.7]), 0.0);
/// ```
pub trait Unfused: sealed::Sealed {
    #[doc(hidden)]
    fn mul(a: Self, b: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! floats {
    ($($float:ty: $mul:ident;)*) => {$(
        impl sealed::Sealed for $float {}

        impl Unfused for $float {
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                arch::$mul(a, b)
            }
        }
    )*};
}

floats! {
    f32: unfused_mul_f32;
    f64: unfused_mul_f64;
}
