//! What the fixed grammar of `requires = …` means on the host: sizes by name, and arithmetic that
//! fails rather than wraps, so that what the host found true is true on the device.

use crate::{GroupExtent, MatrixExtent, SliceExtent, VolumeExtent};

/// Whether a condition holds: one whose arithmetic overflows doesn't.
#[inline(always)]
pub fn holds(condition: Option<bool>) -> bool {
    condition == Some(true)
}

/// A parameter with a number of elements, or the group with its threads.
pub trait Length: sealed::Sealed {
    /// How many elements or threads there are.
    fn length(&self) -> usize;
}

impl Length for SliceExtent {
    fn length(&self) -> usize {
        self.len
    }
}

impl Length for GroupExtent {
    fn length(&self) -> usize {
        self.len
    }
}

/// A parameter with rows and columns.
pub trait Rectangular: sealed::Sealed {
    /// The number of rows.
    fn rows(&self) -> usize;
    /// The number of columns.
    fn cols(&self) -> usize;
}

macro_rules! rectangular {
    ($($extent:ident)*) => {$(
        impl Rectangular for $extent {
            fn rows(&self) -> usize {
                self.rows
            }

            fn cols(&self) -> usize {
                self.cols
            }
        }
    )*};
}

rectangular!(MatrixExtent VolumeExtent);

/// The number of elements, or of a group's threads.
pub fn len(parameter: &impl Length) -> usize {
    parameter.length()
}

/// The number of rows.
pub fn rows(parameter: &impl Rectangular) -> usize {
    parameter.rows()
}

/// The number of columns.
pub fn cols(parameter: &impl Rectangular) -> usize {
    parameter.cols()
}

/// The number of planes.
pub fn planes(volume: &VolumeExtent) -> usize {
    volume.planes
}

/// An integer with checked arithmetic.
pub trait Integer: Copy + sealed::Sealed {
    /// `self + right`, or `None` where it overflows.
    fn add(self, right: Self) -> Option<Self>;
    /// `self - right`, or `None` where it overflows.
    fn sub(self, right: Self) -> Option<Self>;
    /// `self * right`, or `None` where it overflows.
    fn mul(self, right: Self) -> Option<Self>;
    /// `self / right`, or `None` where `right` is zero or it overflows.
    fn div(self, right: Self) -> Option<Self>;
    /// `self % right`, or `None` where `right` is zero or it overflows.
    fn rem(self, right: Self) -> Option<Self>;
    /// Whether the integer is a power of two: never below one.
    fn is_power_of_two(self) -> bool;
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl sealed::Sealed for $integer {}

        impl Integer for $integer {
            fn add(self, right: Self) -> Option<Self> {
                self.checked_add(right)
            }

            fn sub(self, right: Self) -> Option<Self> {
                self.checked_sub(right)
            }

            fn mul(self, right: Self) -> Option<Self> {
                self.checked_mul(right)
            }

            fn div(self, right: Self) -> Option<Self> {
                self.checked_div(right)
            }

            fn rem(self, right: Self) -> Option<Self> {
                self.checked_rem(right)
            }

            fn is_power_of_two(self) -> bool {
                self > 0 && self.count_ones() == 1
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! functions {
    ($($name:ident)*) => {$(
        #[doc = concat!("Checked `", stringify!($name), "` of two integers.")]
        pub fn $name<I: Integer>(left: I, right: I) -> Option<I> {
            left.$name(right)
        }
    )*};
}

functions!(add sub mul div rem);

/// Whether an integer is a power of two.
pub fn is_power_of_two<I: Integer>(value: I) -> bool {
    value.is_power_of_two()
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::SliceExtent {}
    impl Sealed for crate::MatrixExtent {}
    impl Sealed for crate::VolumeExtent {}
    impl Sealed for crate::GroupExtent {}
}
