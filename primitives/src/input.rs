//! Inputs of algorithms as the host has them: buffers, and what is computed from them within the algorithm's own kernels.

use gridwright::memory::BufferSlice;
use gridwright::prelude::*;

use crate::Error;
use crate::source::{
    Constant, Counting, Enumerate, Fused, Gather, Index, Leaves, Map, Reversed, Slice, Source, Zip,
};

/// What an algorithm reads: `&buffer`, a part of a buffer, or what is computed from others element by element, within the algorithm's own
/// kernels. It is lazy, as an iterator is: nothing is launched for it and nothing stored.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::operators::Negate;
///
/// # fn main() -> Result<(), gridwright_primitives::Error> {
/// let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let y = stream.upload(&[3_u32, 4])?;
/// let pairs = (&x).map(Negate).reversed()?.zip(&y);
/// assert_eq!(pairs.len()?, Some(2));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// The "fancy" iterators of Thrust: `transform_iterator`, `zip_iterator`, `permutation_iterator` and others.
///
/// Its length is trusted, so that only `unsafe` code adds inputs:
///
/// ```compile_fail,E0200
/// use gridwright_primitives::source::{Leaves, Slice};
/// use gridwright_primitives::{Error, Input};
///
/// struct Mine;
///
/// impl<'b> Input<'b> for Mine {
///     type Source = Slice<f32>;
///
///     fn len(&self) -> Result<Option<usize>, Error> {
///         Ok(Some(1 << 40))
///     }
///
///     fn source(&self) -> Result<Slice<f32>, Error> {
///         unreachable!()
///     }
///
///     fn slices<Rest: Leaves>(self, _: Rest::Buffers<'b>) -> <(f32, Rest) as Leaves>::Buffers<'b> {
///         unreachable!()
///     }
/// }
/// ```
///
/// # Safety
/// [`len`](Self::len) is at most the number of elements that the source may read of the slices, each time it is called.
#[allow(clippy::len_without_is_empty)] // one without an end is neither
pub unsafe trait Input<'b>: Sized {
    /// What kernels have of it.
    type Source: Source;

    /// The number of elements; none if there is no end.
    ///
    /// # Errors
    /// [`Error::Lengths`] where two inputs are one that have other lengths.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// assert_eq!(x.reversed()?.len()?, Some(2));
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn len(&self) -> Result<Option<usize>, Error>;

    /// What kernels have of it, of this length.
    #[doc(hidden)]
    fn source(&self) -> Result<Self::Source, Error>;

    /// The slices, in front of others.
    #[doc(hidden)]
    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b>;

    /// What an operator makes of each element. Of a pair it is called with one argument, the pair.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    /// use gridwright_primitives::operators::Negate;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let negative = x.map(Negate);
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn map<O>(self, operator: O) -> Mapped<Self, O>
    where
        O: Operator<(<Self::Source as Source>::Item,), Output: Copy + 'static>,
    {
        Mapped { input: self, operator }
    }

    /// Pairs of elements of this and another input of as many.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let pairs = x.zip(&x);
    /// assert_eq!(pairs.len()?, Some(2));
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn zip<I: Input<'b>>(self, other: I) -> Zipped<Self, I> {
        Zipped { a: self, b: other }
    }

    /// Each element with its number, a `u64`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let numbered = x.enumerate();
    /// assert_eq!(numbered.len()?, Some(2));
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn enumerate(self) -> Enumerated<Self> {
        Enumerated { input: self }
    }

    /// The last element first.
    ///
    /// # Errors
    /// [`Error::Endless`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::{Input, constant};
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let from_the_last = x.reversed()?;
    /// assert!(constant(1.0_f32).reversed().is_err());
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn reversed(self) -> Result<Backwards<Self>, Error> {
        let len = self.len()?.ok_or(Error::Endless)?;
        Ok(Backwards { input: self, len })
    }

    /// The first elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// assert_eq!(x.take(1).len()?, Some(1));
    /// assert!(x.take(3).len().is_err());
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn take(self, len: usize) -> Taken<Self> {
        Taken { input: self, len }
    }

    /// The elements at indices, which are `u32` or `u64`. An index beyond the last element is a panic of the kernel.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright_primitives::Input;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let at = stream.upload(&[1_u32, 1, 0])?;
    /// assert_eq!(x.gather(&at).len()?, Some(3));
    /// # Ok::<(), gridwright_primitives::Error>(())
    /// ```
    fn gather<I>(self, indices: I) -> Gathered<Self, I>
    where
        I: Input<'b, Source: Source<Item: Index>>,
    {
        Gathered { input: self, indices }
    }
}

/// An input that `map` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Negate;
/// use gridwright_primitives::{Input, Mapped};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let negative: Mapped<&Buffer<f32>, Negate> = x.map(Negate);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mapped<I, O> {
    input: I,
    operator: O,
}

/// An input that `zip` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Input, Zipped};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let pairs: Zipped<&Buffer<f32>, &Buffer<f32>> = x.zip(&x);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Zipped<A, B> {
    a: A,
    b: B,
}

/// An input that `enumerate` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Enumerated, Input};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let numbered: Enumerated<&Buffer<f32>> = x.enumerate();
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Enumerated<I> {
    input: I,
}

/// An input that `reversed` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Backwards, Input};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let from_the_last: Backwards<&Buffer<f32>> = x.reversed()?;
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Backwards<I> {
    input: I,
    len: usize,
}

/// An input that `gather` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Gathered, Input};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let at = stream.upload(&[1_u32])?;
/// let found: Gathered<&Buffer<f32>, &Buffer<u32>> = x.gather(&at);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gathered<S, I> {
    input: S,
    indices: I,
}

/// An input that `take` makes.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::{Input, Taken};
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let first: Taken<&Buffer<f32>> = x.take(1);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Taken<I> {
    input: I,
    len: usize,
}

/// An input of numbers alone.
///
/// ```
/// use gridwright_primitives::source::Counting;
/// use gridwright_primitives::{Numbers, counting};
///
/// let all: Numbers<Counting> = counting(0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Numbers<S>(S);

/// A value again and again, without end.
///
/// ```
/// use gridwright_primitives::{Input, constant};
///
/// assert_eq!(constant(2.5_f32).take(10).len()?, Some(10));
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
pub fn constant<T: KernelArg>(value: T) -> Numbers<Constant<T>> {
    Numbers(Constant { value })
}

/// The numbers from a first one on, without end but that of 64 bits.
///
/// ```
/// use gridwright_primitives::{Input, counting};
///
/// assert_eq!(counting(7).len()?, None);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
pub fn counting(first: u64) -> Numbers<Counting> {
    Numbers(Counting { first })
}

// SAFETY: the slice is the buffer, of that length.
unsafe impl<'b, T: KernelArg> Input<'b> for &'b Buffer<T> {
    type Source = Slice<T>;

    fn len(&self) -> Result<Option<usize>, Error> {
        Ok(Some(Buffer::len(self)))
    }

    fn source(&self) -> Result<Slice<T>, Error> {
        Ok(Slice::new())
    }

    fn slices<Rest: Leaves>(self, rest: Rest::Buffers<'b>) -> (BufferSlice<'b, T>, Rest::Buffers<'b>) {
        (whole(self), rest)
    }
}

/// All of a buffer.
pub(crate) fn whole<T: KernelArg>(buffer: &Buffer<T>) -> BufferSlice<'_, T> {
    buffer.into()
}

// SAFETY: the slice has that length.
unsafe impl<'b, T: KernelArg> Input<'b> for BufferSlice<'b, T> {
    type Source = Slice<T>;

    fn len(&self) -> Result<Option<usize>, Error> {
        Ok(Some(BufferSlice::len(self)))
    }

    fn source(&self) -> Result<Slice<T>, Error> {
        Ok(Slice::new())
    }

    fn slices<Rest: Leaves>(self, rest: Rest::Buffers<'b>) -> (BufferSlice<'b, T>, Rest::Buffers<'b>) {
        (self, rest)
    }
}

// SAFETY: length and slices are those of the input.
unsafe impl<'b, I: Input<'b>, O> Input<'b> for Mapped<I, O>
where
    O: Operator<(<I::Source as Source>::Item,), Output: Copy + 'static>,
{
    type Source = Map<I::Source, O>;

    fn len(&self) -> Result<Option<usize>, Error> {
        self.input.len()
    }

    fn source(&self) -> Result<Self::Source, Error> {
        Ok(Map { source: self.input.source()?, operator: self.operator })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        self.input.slices::<Rest>(rest)
    }
}

// SAFETY: none of the two has fewer elements.
unsafe impl<'b, A: Input<'b>, B: Input<'b>> Input<'b> for Zipped<A, B> {
    type Source = Zip<A::Source, B::Source>;

    fn len(&self) -> Result<Option<usize>, Error> {
        match (self.a.len()?, self.b.len()?) {
            (Some(expected), Some(given)) if expected != given => {
                Err(Error::Lengths { what: "the second input of a zip", expected, given })
            }
            (len, None) | (None, len) => Ok(len),
            (len, Some(_)) => Ok(len),
        }
    }

    fn source(&self) -> Result<Self::Source, Error> {
        Ok(Zip { a: self.a.source()?, b: self.b.source()? })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        let rest = self.b.slices::<Rest>(rest);
        self.a.slices::<<B::Source as Source>::Leaves<Rest>>(rest)
    }
}

// SAFETY: length and slices are those of the input.
unsafe impl<'b, I: Input<'b>> Input<'b> for Enumerated<I> {
    type Source = Enumerate<I::Source>;

    fn len(&self) -> Result<Option<usize>, Error> {
        self.input.len()
    }

    fn source(&self) -> Result<Self::Source, Error> {
        Ok(Enumerate { source: self.input.source()? })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        self.input.slices::<Rest>(rest)
    }
}

// SAFETY: the length is that of the input, from whose end the source counts.
unsafe impl<'b, I: Input<'b>> Input<'b> for Backwards<I> {
    type Source = Reversed<I::Source>;

    fn len(&self) -> Result<Option<usize>, Error> {
        Ok(Some(self.len))
    }

    fn source(&self) -> Result<Self::Source, Error> {
        Ok(Reversed { source: self.input.source()?, len: self.len as u64 })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        self.input.slices::<Rest>(rest)
    }
}

// SAFETY: there are as many indices, and the source looks whether they are below the input's length.
unsafe impl<'b, S: Input<'b>, I: Input<'b, Source: Source<Item: Index>>> Input<'b> for Gathered<S, I> {
    type Source = Gather<S::Source, I::Source>;

    fn len(&self) -> Result<Option<usize>, Error> {
        self.indices.len()
    }

    fn source(&self) -> Result<Self::Source, Error> {
        let len = self.input.len()?.map_or(u64::MAX, |len| len as u64);
        Ok(Gather { source: self.input.source()?, indices: self.indices.source()?, len })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        let rest = self.input.slices::<Rest>(rest);
        self.indices.slices::<<S::Source as Source>::Leaves<Rest>>(rest)
    }
}

// SAFETY: it is looked at that the input has as many.
unsafe impl<'b, I: Input<'b>> Input<'b> for Taken<I> {
    type Source = I::Source;

    fn len(&self) -> Result<Option<usize>, Error> {
        match self.input.len()? {
            Some(given) if given < self.len => {
                Err(Error::Lengths { what: "an input of which more are taken", expected: self.len, given })
            }
            _ => Ok(Some(self.len)),
        }
    }

    fn source(&self) -> Result<I::Source, Error> {
        self.input.source()
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<I::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        self.input.slices::<Rest>(rest)
    }
}

// SAFETY: it has no slices.
unsafe impl<'b, S: Source<Leaves<()> = ()>> Input<'b> for Numbers<S>
where
    S: Alone,
{
    type Source = S;

    fn len(&self) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    fn source(&self) -> Result<S, Error> {
        Ok(self.0)
    }

    fn slices<Rest: Leaves>(self, rest: Rest::Buffers<'b>) -> <S::Leaves<Rest> as Leaves>::Buffers<'b> {
        S::buffers::<Rest>(rest)
    }
}

/// A source without slices.
#[doc(hidden)]
pub trait Alone: Source {
    fn buffers<'b, Rest: Leaves>(rest: Rest::Buffers<'b>) -> <Self::Leaves<Rest> as Leaves>::Buffers<'b>;
}

impl<T: KernelArg> Alone for Constant<T> {
    fn buffers<'b, Rest: Leaves>(rest: Rest::Buffers<'b>) -> Rest::Buffers<'b> {
        rest
    }
}

impl Alone for Counting {
    fn buffers<'b, Rest: Leaves>(rest: Rest::Buffers<'b>) -> Rest::Buffers<'b> {
        rest
    }
}

/// An input as an algorithm has it: its length, what its kernels have of it, and its slices one by one.
pub(crate) struct Ready<'b, S: Fused> {
    pub(crate) len: usize,
    pub(crate) source: S,
    pub(crate) a: BufferSlice<'b, S::A>,
    pub(crate) b: BufferSlice<'b, S::B>,
    pub(crate) c: BufferSlice<'b, S::C>,
}

impl<'b, S: Fused> Ready<'b, S> {
    /// Looks at an input. `none` has no elements.
    ///
    /// # Errors
    /// [`Error::Endless`], [`Error::Lengths`].
    pub(crate) fn new<'i: 'b, I: Input<'i, Source = S>>(
        input: I,
        none: &'b Buffer<u8>,
    ) -> Result<Self, Error> {
        let len = input.len()?.ok_or(Error::Endless)?;
        let source = input.source()?;
        let slices = S::Leaves::<()>::shorter(input.slices::<()>(()));
        let (a, b, c) = S::one_by_one(slices, whole(none));
        Ok(Self { len, source, a, b, c })
    }
}
