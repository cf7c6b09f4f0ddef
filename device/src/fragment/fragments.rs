use core::fmt;

use crate::arch;
use crate::{FactorShape, InPhase, SumShape};

/// `M` rows and `K` columns of a matrix A, which a warp holds together, each lane a part.
///
/// [`Warp::load_a`](crate::Warp::load_a) makes it.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::MatrixA;
/// use gridwright::numbers::F16;
///
/// fn load_a_block<S: GroupShape>(w: &Warp<'_, S>, a: &Matrix<F16>) {
///     let a: MatrixA<F16, 16, 16> = w.load_a(a, 0, 0);
/// }
/// ```
///
/// # From CUDA
/// `wmma::fragment<wmma::matrix_a, …>`.
pub struct MatrixA<T: FactorShape<M, K>, const M: usize, const K: usize> {
    pub(crate) registers: T::Registers,
}

/// `K` rows and `N` columns of a matrix B, which a warp holds together, each lane a part.
///
/// [`Warp::load_b`](crate::Warp::load_b) makes it.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::MatrixB;
/// use gridwright::numbers::F16;
///
/// fn load_b_block<S: GroupShape>(w: &Warp<'_, S>, b: &Matrix<F16>) {
///     let b: MatrixB<F16, 16, 16> = w.load_b(b, 0, 0);
/// }
/// ```
///
/// # From CUDA
/// `wmma::fragment<wmma::matrix_b, …>`.
pub struct MatrixB<T: FactorShape<N, K>, const K: usize, const N: usize> {
    pub(crate) registers: T::Registers,
}

/// `M` rows and `N` columns of sums of products, which a warp holds together, each lane a part.
///
/// Which lane has which element is the device's choice, so nothing gives single elements.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::Accumulator;
///
/// fn scale_ones() {
///     let sums = Accumulator::<f32, 16, 16>::filled(1.0);
///     let scaled = sums.map(|sum| 0.5 * sum);
/// }
/// ```
///
/// # From CUDA
/// `wmma::fragment<wmma::accumulator, …>`.
pub struct Accumulator<S: SumShape<M, N>, const M: usize, const N: usize> {
    pub(crate) registers: S::Registers,
}

impl<S: SumShape<M, N>, const M: usize, const N: usize> Accumulator<S, M, N> {
    /// An accumulator with `value` in each place.
    ///
    /// ```
    /// fn clear_sums() {
    ///     let sums = [[gridwright::Accumulator::<f32, 16, 16>::filled(0.0); 2]; 4];
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::fill_fragment`.
    #[inline(always)]
    pub fn filled(value: S) -> Self {
        Self { registers: S::filled(value) }
    }

    /// Applies `change` to each element of the accumulator, and gives the results as an accumulator.
    ///
    /// ```
    /// # use gridwright::Accumulator;
    /// fn clamp_at_zero(sums: Accumulator<f32, 16, 16>) {
    ///     let positive = sums.map(|sum| sum.max(0.0));
    /// }
    /// ```
    ///
    /// # From CUDA
    /// A loop over the fragment's `x[i]`, up to `num_elements`.
    #[inline(always)]
    pub fn map(&self, change: impl Fn(S) -> S + InPhase) -> Self {
        Self { registers: arch::map_sums::<S>(self.registers, change) }
    }
}

macro_rules! copies {
    ($($name:ident <$t:ident: $shape:ident<$a:ident, $b:ident>> [$($n:ident)*];)*) => {$(
        impl<$t: $shape<$a, $b>, $(const $n: usize),*> Clone for $name<$t, $($n),*> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$t: $shape<$a, $b>, $(const $n: usize),*> Copy for $name<$t, $($n),*> {}

        impl<$t: $shape<$a, $b>, $(const $n: usize),*> fmt::Debug for $name<$t, $($n),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

copies! {
    MatrixA<T: FactorShape<M, K>> [M K];
    MatrixB<T: FactorShape<N, K>> [K N];
    Accumulator<S: SumShape<M, N>> [M N];
}
