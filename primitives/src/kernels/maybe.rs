//! Values that may be missing, for operators without a neutral element.

use gridwright::prelude::*;

use crate::source::argument::argument;

/// A value, or none.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub(crate) struct Maybe<T> {
    /// Zero if there is none.
    is_there: u32,
    value: T,
}

argument!([T: KernelArg] Maybe<T> { is_there: u32, value: T });

impl<T: KernelArg> Maybe<T> {
    /// A value.
    #[inline(always)]
    pub(crate) fn some(value: T) -> Self {
        Self { is_there: 1, value }
    }

    /// None.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { is_there: 0, value: T::zeroed() }
    }

    /// The value if there is one.
    #[inline(always)]
    pub(crate) fn get(self) -> Option<T> {
        let Self { is_there, value } = self;
        (is_there != 0).then_some(value)
    }

    /// The value that is there, or any.
    #[inline(always)]
    pub(crate) fn any(self) -> T {
        let Self { value, .. } = self;
        value
    }

    /// The value, which is known to be there.
    #[inline(always)]
    pub(crate) fn certain(self) -> Self {
        Self::some(self.any())
    }

    /// This value before another one.
    #[inline(always)]
    pub(crate) fn then(self, next: Self, operator: impl Fn(T, T) -> T) -> Self {
        match (self.get(), next.get()) {
            (Some(a), Some(b)) => Self::some(operator(a, b)),
            (None, _) => next,
            (_, None) => self,
        }
    }
}

/// What a thread has found in its part of a tile: in a whole tile a value, in the last one maybe none.
pub(crate) trait Found<T: KernelArg>: KernelArg {
    /// Whether there is always one.
    const IS_THERE: bool;

    /// Of elements, if there are any.
    fn of(value: Maybe<T>) -> Self;

    /// Of elements, if there are any.
    fn maybe(self) -> Maybe<T>;

    /// This before another.
    fn then(self, next: Self, operator: impl Fn(T, T) -> T) -> Self;
}

impl<T: KernelArg> Found<T> for Maybe<T> {
    const IS_THERE: bool = false;

    #[inline(always)]
    fn of(value: Self) -> Self {
        value
    }

    #[inline(always)]
    fn maybe(self) -> Self {
        self
    }

    #[inline(always)]
    fn then(self, next: Self, operator: impl Fn(T, T) -> T) -> Self {
        self.then(next, operator)
    }
}

/// A value that is there.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub(crate) struct Always<T> {
    value: T,
}

argument!([T: KernelArg] Always<T> { value: T });

impl<T: KernelArg> Found<T> for Always<T> {
    const IS_THERE: bool = true;

    #[inline(always)]
    fn of(value: Maybe<T>) -> Self {
        let value = value.any();
        Self { value }
    }

    #[inline(always)]
    fn maybe(self) -> Maybe<T> {
        let Self { value } = self;
        Maybe::some(value)
    }

    #[inline(always)]
    fn then(self, next: Self, operator: impl Fn(T, T) -> T) -> Self {
        let (Self { value: a }, Self { value: b }) = (self, next);
        Self { value: operator(a, b) }
    }
}
