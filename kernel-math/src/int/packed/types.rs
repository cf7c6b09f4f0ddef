use bytemuck::{Pod, Zeroable};
use gridwright_core::{KernelArg, Layout};

mod sealed {
    /// Marker that only this crate implements.
    pub trait Sealed {}
}

/// The words of lanes: [`U8x4`], [`I8x4`], [`U16x2`] and [`I16x2`], of which a mask [selects](U8x4::select).
///
/// ```
/// use gridwright::int::{Packed, U8x4};
///
/// fn first<T: Packed>(yes: T, no: T) -> T {
///     U8x4::from_bits(u32::MAX).select(yes, no)
/// }
/// assert_eq!(first(U8x4::splat(1), U8x4::splat(2)), U8x4::splat(1));
/// ```
pub trait Packed: sealed::Sealed + Copy {
    #[doc(hidden)]
    fn of_word(word: u32) -> Self;
    #[doc(hidden)]
    fn word(self) -> u32;
}

macro_rules! packed {
    ($($(#[$doc:meta])* $name:ident: [$lane:ident; $lanes:literal];)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(u32);

        // SAFETY: a `u32` and nothing else.
        unsafe impl Zeroable for $name {}
        // SAFETY: any bits are a `u32`, which has no padding.
        unsafe impl Pod for $name {}
        // SAFETY: 1. a `u32` on all targets; 2. of four bytes; 3. its alignment, and what its bytes mean.
        unsafe impl KernelArg for $name {
            const LAYOUT: Layout = Layout::structure(4, 4).field(0, <[$lane; $lanes]>::LAYOUT);
        }

        impl sealed::Sealed for $name {}

        impl Packed for $name {
            #[inline(always)]
            fn of_word(word: u32) -> Self {
                Self(word)
            }

            #[inline(always)]
            fn word(self) -> u32 {
                self.0
            }
        }

        impl $name {
            /// A word of numbers, the first one in the lowest bits.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let lanes = ", stringify!($name), "::new([7; ", stringify!($lanes), "]);")]
            #[doc = concat!("assert_eq!(lanes, ", stringify!($name), "::splat(7));")]
            /// ```
            #[inline(always)]
            pub const fn new(lanes: [$lane; $lanes]) -> Self {
                let mut bits = 0;
                let mut lane = 0;
                while lane < $lanes {
                    // Through the lane's own width, so that a sign doesn't reach into others.
                    let value = lanes[lane] as u32 & (u32::MAX >> (32 - $lane::BITS));
                    bits |= value << (lane as u32 * $lane::BITS);
                    lane += 1;
                }
                Self(bits)
            }

            /// A word with one number in all lanes.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(3).to_array(), [3; ", stringify!($lanes), "]);")]
            /// ```
            #[inline(always)]
            pub const fn splat(value: $lane) -> Self {
                Self::new([value; $lanes])
            }

            /// A word taken as lanes.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(5).to_array()[0], 5);")]
            /// ```
            #[inline(always)]
            pub const fn from_bits(bits: u32) -> Self {
                Self(bits)
            }

            /// The lanes' word.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(5).to_bits(), 5);")]
            /// ```
            #[inline(always)]
            pub const fn to_bits(self) -> u32 {
                self.0
            }

            /// The lanes' numbers, the one in the lowest bits first.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(1).to_array(), [1; ", stringify!($lanes), "]);")]
            /// ```
            #[inline(always)]
            pub const fn to_array(self) -> [$lane; $lanes] {
                let mut lanes = [0; $lanes];
                let mut lane = 0;
                while lane < $lanes {
                    lanes[lane] = (self.0 >> (lane as u32 * $lane::BITS)) as $lane;
                    lane += 1;
                }
                lanes
            }
        }

        impl From<[$lane; $lanes]> for $name {
            #[inline(always)]
            fn from(lanes: [$lane; $lanes]) -> Self {
                Self::new(lanes)
            }
        }

        impl From<$name> for [$lane; $lanes] {
            #[inline(always)]
            fn from(lanes: $name) -> Self {
                lanes.to_array()
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.to_array()).finish()
            }
        }
    )*};
}

packed! {
    /// Four `u8` in a word.
    ///
    /// It is an element of buffers, an argument and a field of structs, as a number is. Operations are named as those of one number.
    /// Comparisons give a mask: all ones in lanes where they hold, for [`select`](Self::select).
    ///
    /// ```
    /// use gridwright::int::U8x4;
    /// use gridwright::prelude::*;
    ///
    /// /// Four channels of a pixel at once.
    /// #[gpu_kernel(requires = a.len() == out.len() && b.len() == out.len())]
    /// fn blend(t: Thread, a: &[U8x4], b: &[U8x4], mut out: PerThread<[U8x4]>) {
    ///     if let Some(out) = out.get_mut(t) {
    ///         *out = a[t.index()].saturating_add(b[t.index()]);
    ///     }
    /// }
    ///
    /// #[host_only]
    /// fn main() -> Result<(), gridwright::Error> {
    ///     let device = Device::from_env()?;
    ///     let (a, b) = (vec![U8x4::new([1, 2, 3, 200]); 9], vec![U8x4::splat(100); 9]);
    ///     let mut out = vec![U8x4::default(); 9];
    ///     blend::load(&device)?.run(&device, LaunchConfig::threads(9), (&a, &b, InOut(&mut out)))?;
    ///     assert_eq!(out[8].to_array(), [101, 102, 103, 255]);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The words that `__vaddus4` and its like take.
    U8x4: [u8; 4];
    /// Four `i8` in a word. See [`U8x4`].
    ///
    /// ```
    /// use gridwright::int::I8x4;
    ///
    /// let a = I8x4::new([-128, -1, 0, 127]);
    /// assert_eq!(a.saturating_add(I8x4::splat(1)).to_array(), [-127, 0, 1, 127]);
    /// ```
    ///
    /// # From CUDA
    /// The words that `__vaddss4` and its like take.
    I8x4: [i8; 4];
    /// Two `u16` in a word. See [`U8x4`].
    ///
    /// ```
    /// use gridwright::int::U16x2;
    ///
    /// assert_eq!(U16x2::new([7, 9]).abs_diff(U16x2::splat(8)).to_array(), [1, 1]);
    /// ```
    ///
    /// # From CUDA
    /// The words that `__vaddus2` and its like take.
    U16x2: [u16; 2];
    /// Two `i16` in a word. See [`U8x4`].
    ///
    /// ```
    /// use gridwright::int::I16x2;
    ///
    /// assert_eq!(I16x2::new([-7, 9]).max(I16x2::splat(0)).to_array(), [0, 9]);
    /// ```
    ///
    /// # From CUDA
    /// The words that `__vaddss2` and its like take.
    I16x2: [i16; 2];
}
