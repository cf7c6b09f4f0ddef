use core::fmt;
use core::ops::{
    Add, AddAssign, Deref, DerefMut, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use bytemuck::{Pod, Zeroable};

use crate::{KernelArg, Layout, Uniform};

/// `N` numbers that lie at a multiple of their bytes, so that a thread reads or writes them at once.
///
/// There are vectors of 2, 4, 8 and 16 bytes, of integers and floats. An array `[f32; 4]` is the same numbers, but lies at any
/// multiple of 4 bytes, so that it takes four loads.
///
/// It is an array in all else, by `Deref`, with arithmetic element by element. Integers overflow as integers do.
///
/// ```
/// use gridwright_core::Vector;
///
/// let (x, y) = (Vector::from([1.0_f32, 2.0, 3.0, 4.0]), Vector::splat(1.0));
/// assert_eq!(*(x * 2.0 + y), [3.0, 5.0, 7.0, 9.0]);
/// assert_eq!(align_of_val(&x), 16);
/// ```
///
/// Other sizes don't compile:
///
/// ```compile_fail,E0277
/// use gridwright_core::Vector;
///
/// let three = Vector::from([1.0_f32, 2.0, 3.0]);
/// ```
///
/// # From CUDA
/// `float4` is `Vector<f32, 4>`, which PTX loads by `ld.global.v4.f32`. There is no `float3`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Vector<T: VectorElement<N>, const N: usize> {
    lanes: [T; N],
    _aligned: [T::Alignment; 0],
}

/// Numbers of which there are vectors of `N`.
///
/// ```
/// use gridwright_core::{Vector, VectorElement};
///
/// fn doubled<T: VectorElement<4> + core::ops::Add<Output = T>>(x: Vector<T, 4>) -> Vector<T, 4> {
///     x.map(|x| x + x)
/// }
/// assert_eq!(*doubled(Vector::from([1_u32, 2, 3, 4])), [2, 4, 6, 8]);
/// ```
///
/// # Safety
/// `Alignment` is aligned to the bytes of `N` of them.
#[diagnostic::on_unimplemented(
    message = "there are no vectors of {N} `{Self}`",
    note = "a `Vector` is at least two numbers of 2, 4, 8 or 16 bytes in all, such as `Vector<f32, 4>`"
)]
pub unsafe trait VectorElement<const N: usize>: KernelArg {
    /// A type with the vector's alignment.
    #[doc(hidden)]
    type Alignment: Copy + Send + Sync + 'static + Uniform;
}

macro_rules! alignments {
    ($($name:ident $bytes:literal)*) => {$(
        #[derive(Clone, Copy, Debug)]
        #[repr(align($bytes))]
        #[doc(hidden)]
        pub struct $name;
    )*};
}

alignments!(To2 2 To4 4 To8 8 To16 16);

macro_rules! elements {
    ($($alignment:ident { $($number:ty, $lanes:literal;)* })*) => {$($(
        // SAFETY: so many bytes.
        unsafe impl VectorElement<$lanes> for $number {
            type Alignment = $alignment;
        }

        const _: () = assert!(
            size_of::<Vector<$number, $lanes>>() == size_of::<[$number; $lanes]>()
                && align_of::<Vector<$number, $lanes>>() == size_of::<[$number; $lanes]>()
        );
    )*)*};
}

elements! {
    To2 { u8, 2; i8, 2; }
    To4 { u8, 4; i8, 4; u16, 2; i16, 2; }
    To8 { u8, 8; i8, 8; u16, 4; i16, 4; u32, 2; i32, 2; f32, 2; }
    To16 { u8, 16; i8, 16; u16, 8; i16, 8; u32, 4; i32, 4; f32, 4; u64, 2; i64, 2; f64, 2; }
}

#[cfg(feature = "half")]
elements! {
    To4 { half::f16, 2; half::bf16, 2; }
    To8 { half::f16, 4; half::bf16, 4; }
    To16 { half::f16, 8; half::bf16, 8; }
}

// SAFETY: zeros are numbers.
unsafe impl<T: VectorElement<N>, const N: usize> Zeroable for Vector<T, N> {}

// SAFETY: any bytes are numbers, and there are no others in it: the numbers take as many bytes as it is aligned to.
unsafe impl<T: VectorElement<N>, const N: usize> Pod for Vector<T, N> {}

// SAFETY: 1. `repr(C)`, of numbers; 2. its size, alignment and numbers; 3. to 16 bytes at most.
unsafe impl<T: VectorElement<N>, const N: usize> KernelArg for Vector<T, N> {
    const LAYOUT: Layout =
        Layout::structure(size_of::<Self>(), align_of::<Self>()).field(0, Layout::array(N, T::LAYOUT));
}

impl<T: VectorElement<N>, const N: usize> Vector<T, N> {
    /// A vector with the same number in each place.
    ///
    /// ```
    /// # use gridwright_core::Vector;
    /// assert_eq!(*Vector::<u32, 2>::splat(7), [7, 7]);
    /// ```
    ///
    /// # From CUDA
    /// `make_float4(x, x, x, x)`.
    #[inline(always)]
    pub fn splat(number: T) -> Self {
        Self::from([number; N])
    }

    /// A vector with each number changed.
    ///
    /// ```
    /// # use gridwright_core::Vector;
    /// assert_eq!(*Vector::from([4.0_f32, 9.0]).map(|x| -x), [-4.0, -9.0]);
    /// ```
    #[inline(always)]
    pub fn map<U: VectorElement<N>>(self, f: impl FnMut(T) -> U) -> Vector<U, N> {
        Vector::from(self.lanes.map(f))
    }

    /// A vector with each two numbers of one place made one.
    ///
    /// ```
    /// # use gridwright_core::Vector;
    /// let (x, y) = (Vector::from([1.0_f32, 2.0]), Vector::from([3.0, 1.0]));
    /// assert_eq!(*x.zip(y, f32::max), [3.0, 2.0]);
    /// ```
    #[inline(always)]
    pub fn zip<U: VectorElement<N>, V: VectorElement<N>>(
        self,
        other: Vector<U, N>,
        mut f: impl FnMut(T, U) -> V,
    ) -> Vector<V, N> {
        Vector::from(core::array::from_fn(|lane| f(self.lanes[lane], other.lanes[lane])))
    }
}

impl<T: VectorElement<N>, const N: usize> From<[T; N]> for Vector<T, N> {
    #[inline(always)]
    fn from(lanes: [T; N]) -> Self {
        Self { lanes, _aligned: [] }
    }
}

impl<T: VectorElement<N>, const N: usize> From<Vector<T, N>> for [T; N] {
    #[inline(always)]
    fn from(vector: Vector<T, N>) -> Self {
        vector.lanes
    }
}

impl<T: VectorElement<N>, const N: usize> Default for Vector<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Self::zeroed()
    }
}

impl<T: VectorElement<N>, const N: usize> Deref for Vector<T, N> {
    type Target = [T; N];

    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        &self.lanes
    }
}

impl<T: VectorElement<N>, const N: usize> DerefMut for Vector<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.lanes
    }
}

impl<T: VectorElement<N> + PartialEq, const N: usize> PartialEq for Vector<T, N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.lanes == other.lanes
    }
}

impl<T: VectorElement<N> + fmt::Debug, const N: usize> fmt::Debug for Vector<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes.fmt(f)
    }
}

impl<T: VectorElement<N> + Neg<Output = T>, const N: usize> Neg for Vector<T, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.map(T::neg)
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $assign:ident $assigned:ident;)*) => {$(
        impl<T: VectorElement<N> + $operator<Output = T>, const N: usize> $operator for Vector<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.zip(other, T::$function)
            }
        }

        impl<T: VectorElement<N> + $operator<Output = T>, const N: usize> $operator<T> for Vector<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: T) -> Self {
                self.map(|number| number.$function(other))
            }
        }

        impl<T: VectorElement<N>, U, const N: usize> $assign<U> for Vector<T, N>
        where
            Self: $operator<U, Output = Self>,
        {
            #[inline(always)]
            fn $assigned(&mut self, other: U) {
                *self = self.$function(other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}
