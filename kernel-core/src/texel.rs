use bytemuck::{Pod, TransparentWrapper, Zeroable};

use crate::{KernelArg, Layout};

/// A texel, which a texture holds: a number, or two or four of one type.
///
/// Integers are read as they are, and only with [`Filter::Nearest`](crate::Filter::Nearest). `f32`, [`Norm`]s, and with the
/// feature `half` its `f16`, are read as `f32`.
///
/// ```
/// use gridwright_core::{Norm, Texel};
///
/// fn read<T: Texel>(texel: T) -> T::Value {
///     texel.value()
/// }
/// assert_eq!(read([Norm(255_u8), Norm(0), Norm(51), Norm(255)]), [1.0, 0.0, 0.2, 1.0]);
/// assert_eq!(read(7_i16), 7);
/// ```
///
/// # Safety
/// [`FORMAT`](Self::FORMAT) and [`CHANNELS`](Self::CHANNELS) are those of the type.
///
/// # From CUDA
/// `cudaChannelFormatDesc`, and the type `T` of `tex2D<T>`, which follows from it here.
#[diagnostic::on_unimplemented(
    message = "a texture can't hold `{Self}`",
    label = "not a texel",
    note = "it can hold `f32`, `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `Norm` of the first four integers, and arrays `[_; 2]` \
            and `[_; 4]` of these"
)]
pub unsafe trait Texel: KernelArg {
    /// The value that is read of a texel.
    type Value: Copy + Default + Send + Sync + 'static;
    /// The format of a texel's numbers.
    const FORMAT: Format;
    /// How many numbers a texel has: 1, 2 or 4.
    const CHANNELS: usize;

    /// The value that is read of the texel.
    ///
    /// ```
    /// use gridwright_core::{Norm, Texel};
    ///
    /// assert_eq!([Norm(255_u8), Norm(0)].value(), [1.0, 0.0]);
    /// ```
    fn value(self) -> Self::Value;

    /// Adds a part of a value. Of integers, which aren't filtered, it is the value.
    #[doc(hidden)]
    fn add(sum: Self::Value, weight: f32, value: Self::Value) -> Self::Value;

    /// The value that is read, from the registers that a GPU's instruction fills.
    #[doc(hidden)]
    fn from_registers(registers: [u32; 4]) -> Self::Value;
}

/// The format of a texel's numbers.
///
/// # From CUDA
/// `cudaChannelFormatDesc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The kind of the numbers.
    pub kind: FormatKind,
    /// Bits of each number: 8, 16 or 32.
    pub bits: u32,
}

/// The kind of a texel's numbers, and what is read of them.
///
/// # From CUDA
/// `cudaChannelFormatKind` and `cudaTextureReadMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Integers without a sign.
    Unsigned,
    /// Integers with a sign.
    Signed,
    /// Integers without a sign, read as floats from 0 to 1.
    UnsignedNorm,
    /// Integers with a sign, read as floats from -1 to 1.
    SignedNorm,
    /// Floats.
    Float,
}

impl FormatKind {
    /// Whether floats are read.
    pub const fn is_read_as_float(self) -> bool {
        matches!(self, Self::UnsignedNorm | Self::SignedNorm | Self::Float)
    }
}

/// An integer that textures read as a float: the largest one is 1, and of those with a sign the two least are -1.
///
/// ```
/// use gridwright_core::Norm;
///
/// let bytes: [[u8; 4]; 1] = [[255, 0, 0, 255]];
/// let pixels: &[[Norm<u8>; 4]] = bytemuck::cast_slice(&bytes);
/// assert_eq!(pixels[0][0].get(), 1.0);
/// assert_eq!(Norm::<u8>::new(0.5), Norm(128));
/// assert_eq!(Norm(-128_i8).get(), -1.0);
/// ```
///
/// # From CUDA
/// `cudaReadModeNormalizedFloat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Norm<I>(pub I);

// SAFETY: as the integer, which is all there is.
unsafe impl<I: Zeroable> Zeroable for Norm<I> {}
// SAFETY: any bits are an integer, which is `Pod` and all there is.
unsafe impl<I: Pod> Pod for Norm<I> {}
// SAFETY: `repr(transparent)` over the integer.
unsafe impl<I> TransparentWrapper<I> for Norm<I> {}

// SAFETY: 1. `repr(transparent)`; 2. as the integer; 3. a struct of it.
unsafe impl<I: KernelArg> KernelArg for Norm<I> {
    const LAYOUT: Layout = Layout::structure(size_of::<I>(), align_of::<I>()).field(0, I::LAYOUT);
}

/// A number is a texel by itself, and so are two and four.
macro_rules! texel {
    ($($number:ty => $value:ty, $kind:ident $bits:literal, |$it:ident| $read:expr, |$register:ident| $made:expr,
        |$sum:ident, $weight:ident, $part:ident| $added:expr;)*) => {$(
        // SAFETY: one number, of the format that is said.
        unsafe impl Texel for $number {
            type Value = $value;
            const FORMAT: Format = Format { kind: FormatKind::$kind, bits: $bits };
            const CHANNELS: usize = 1;

            #[inline(always)]
            fn value(self) -> $value {
                let $it = self;
                $read
            }

            #[inline(always)]
            fn add($sum: $value, $weight: f32, $part: $value) -> $value {
                $added
            }

            #[inline(always)]
            fn from_registers([$register, ..]: [u32; 4]) -> $value {
                $made
            }
        }

        texel!(channels $number => $value, 2);
        texel!(channels $number => $value, 4);
    )*};
    (channels $number:ty => $value:ty, $count:literal) => {
        // SAFETY: as many numbers of the one format.
        unsafe impl Texel for [$number; $count] {
            type Value = [$value; $count];
            const FORMAT: Format = <$number as Texel>::FORMAT;
            const CHANNELS: usize = $count;

            #[inline(always)]
            fn value(self) -> [$value; $count] {
                self.map(Texel::value)
            }

            #[inline(always)]
            fn add(sum: [$value; $count], weight: f32, value: [$value; $count]) -> [$value; $count] {
                core::array::from_fn(|i| <$number>::add(sum[i], weight, value[i]))
            }

            #[inline(always)]
            fn from_registers(registers: [u32; 4]) -> [$value; $count] {
                core::array::from_fn(|i| <$number>::from_registers([registers[i]; 4]))
            }
        }
    };
}

macro_rules! integers {
    ($($integer:ty: $kind:ident $bits:literal;)*) => {
        texel! {$(
            $integer => $integer, $kind $bits, |it| it, |register| register as $integer, |_sum, _weight, value| value;
        )*}
    };
}

macro_rules! norms {
    ($($integer:ty: $kind:ident $bits:literal;)*) => {
        texel! {$(
            Norm<$integer> => f32, $kind $bits, |it| it.get(), |register| f32::from_bits(register),
                |sum, weight, value| sum + weight * value;
        )*}

        $(
            impl Norm<$integer> {
                /// The nearest to a float; what is beyond the range becomes its end, and NaN zero.
                ///
                /// ```
                #[doc = concat!("assert_eq!(gridwright_core::Norm::<", stringify!($integer), ">::new(1.5), gridwright_core::Norm(",
                    stringify!($integer), "::MAX));")]
                /// ```
                #[inline(always)]
                pub fn new(value: f32) -> Self {
                    let most = <$integer>::MAX as f32;
                    let scaled = value.clamp((<$integer>::MIN as f32).max(-1.0), 1.0) * most;
                    // The conversion is towards zero.
                    Self((scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as $integer)
                }

                /// The float.
                ///
                /// ```
                #[doc = concat!("assert_eq!(gridwright_core::Norm(", stringify!($integer), "::MAX).get(), 1.0);")]
                /// ```
                #[inline(always)]
                pub fn get(self) -> f32 {
                    (self.0 as f32 / <$integer>::MAX as f32).max(-1.0)
                }
            }
        )*
    };
}

integers! {
    u8: Unsigned 8;
    u16: Unsigned 16;
    u32: Unsigned 32;
    i8: Signed 8;
    i16: Signed 16;
    i32: Signed 32;
}

norms! {
    u8: UnsignedNorm 8;
    u16: UnsignedNorm 16;
    i8: SignedNorm 8;
    i16: SignedNorm 16;
}

texel! {
    f32 => f32, Float 32, |it| it, |register| f32::from_bits(register), |sum, weight, value| sum + weight * value;
}

#[cfg(feature = "half")]
texel! {
    half::f16 => f32, Float 16, |it| it.to_f32(), |register| f32::from_bits(register),
        |sum, weight, value| sum + weight * value;
}

#[cfg(test)]
mod tests {
    use super::Norm;

    #[test]
    fn norms_are_the_nearest_and_their_ends_are_whole() {
        for byte in u8::MIN..=u8::MAX {
            assert_eq!(Norm::<u8>::new(Norm(byte).get()), Norm(byte));
        }
        for byte in -127..=i8::MAX {
            assert_eq!(Norm::<i8>::new(Norm(byte).get()), Norm(byte));
        }
        assert_eq!((Norm(i8::MIN).get(), Norm(-127_i8).get(), Norm(u16::MAX).get()), (-1.0, -1.0, 1.0));
        assert_eq!((Norm::<i16>::new(-7.0), Norm::<u8>::new(f32::NAN)), (Norm(-i16::MAX), Norm(0)));
        assert_eq!(Norm::<u16>::new(2.0), Norm(u16::MAX));
    }
}
