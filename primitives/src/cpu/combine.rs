//! Operators of reductions and scans.

use std::any::TypeId;

use gridwright::prelude::Operator;

use crate::operators::{Add, Max, Min, Multiply};

/// An associative operator.
pub(crate) trait Combine<T>: Sync {
    /// Whether it commutes, takes about as long as an addition, and gives a value whatever its arguments are: then it may be called for more
    /// than is needed, in vectors.
    fn is_simple() -> bool {
        false
    }

    fn combine(&self, a: T, b: T) -> T;
}

impl<T, F: Fn(T, T) -> T + Sync> Combine<T> for F {
    #[inline(always)]
    fn combine(&self, a: T, b: T) -> T {
        self(a, b)
    }
}

/// An operator of kernels.
pub(crate) struct By<O>(pub(crate) O);

impl<T, O: Operator<(T, T), Output = T> + Sync + 'static> Combine<T> for By<O> {
    /// The library's own, of numbers.
    #[inline(always)]
    fn is_simple() -> bool {
        let operator = TypeId::of::<O>();
        operator == TypeId::of::<Add>()
            || operator == TypeId::of::<Multiply>()
            || operator == TypeId::of::<Min>()
            || operator == TypeId::of::<Max>()
    }

    #[inline(always)]
    fn combine(&self, a: T, b: T) -> T {
        self.0.call((a, b))
    }
}
