use core::intrinsics as llvm;

/// What std adds to `f32` and `f64`, for kernels: `core` doesn't have it. On the host, std's own methods
/// are called.
pub trait Float: Sized {
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// The square root, rounded to nearest.
    fn sqrt(self) -> Self;
    /// The largest integer that isn't above.
    fn floor(self) -> Self;
    /// The smallest integer that isn't below.
    fn ceil(self) -> Self;
    /// The integer towards zero.
    fn trunc(self) -> Self;
    /// The nearest integer; ties go to the even one.
    fn round_ties_even(self) -> Self;
}

macro_rules! float {
    ($float:ty: $fma:ident $sqrt:ident $floor:ident $ceil:ident $trunc:ident $round:ident) => {
        impl Float for $float {
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                llvm::$fma(self, a, b)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                llvm::$sqrt(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                llvm::$floor(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                llvm::$ceil(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                llvm::$trunc(self)
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                llvm::$round(self)
            }
        }
    };
}

float!(f32: fmaf32 sqrtf32 floorf32 ceilf32 truncf32 round_ties_even_f32);
float!(f64: fmaf64 sqrtf64 floorf64 ceilf64 truncf64 round_ties_even_f64);
