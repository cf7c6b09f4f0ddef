use core::fmt;

use gridwright_core::KernelArg;

use super::read::ReadElements;
use super::view::{Access, View};
use crate::Group;
use crate::arch::{DeinterleavedPlace, DeinterleavedWords, GroupShape, Identity, read_ahead};

/// A view that gives each thread an element of a slice whose words the CPU has taken apart: `Option<&T>`.
///
/// [`ReadElements::deinterleaved`] makes it, for phases of a group.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::memory::Vector;
///
/// fn greatest_sum<S: GroupShape>(g: &Group<'_, S>, x: &[Vector<u32, 4>]) -> u32 {
///     let x = x.elements_from(g.origin().x).deinterleaved(g);
///     let sums = g.map(&x, |_, x| x.map_or(0, |x| x.iter().sum()));
///     g.reduce(&sums, u32::max)
/// }
/// ```
pub struct Deinterleaved<'d, T: KernelArg> {
    elements: DeinterleavedWords<'d, T>,
    /// Number of elements from the first thread's on.
    left: usize,
}

/// Sizes of a [`Deinterleaved`]: the number of elements that are left, and the distance of their words.
#[derive(Clone, Copy, Debug)]
pub struct DeinterleavedSizes {
    left: usize,
    stride: usize,
}

impl<'a, T: KernelArg> ReadElements<'a, T> {
    /// The view's elements with their words taken apart on the CPU: a [`Deinterleaved`].
    ///
    /// It is for elements of four words that phases combine with one another, such as a vector's sum.
    ///
    /// On the CPU threads are SIMD lanes, and what they read is fastest where neighbours of a lane are neighbours in
    /// memory. The words of elements of 16 bytes are so copied into four arrays, within the first cache, with shuffles
    /// that the compiler doesn't find by itself: half as many, and within a vector's halves. It isn't worth it where a
    /// phase does the same with each word, which is vectorised as it is. Elements of other sizes are
    /// read where they are. On a GPU each thread loads its own once, for all phases.
    ///
    /// # Panics
    /// On the CPU a phase does, of a group with more threads than this one.
    ///
    /// ```
    /// use gridwright::memory::Vector;
    /// use gridwright::prelude::*;
    ///
    /// /// The length of each vector.
    /// #[gpu_kernel(block = 256, requires = x.len() == y.len())]
    /// fn lengths(g: &Group, x: &[Vector<f32, 4>], mut y: PerThread<[f32]>) {
    ///     let x = x.elements_from(g.origin().x).deinterleaved(g);
    ///     g.each((&x, y.elements_mut()), |_, (x, y)| {
    ///         if let (Some(x), Some(y)) = (x, y) {
    ///             *y = x.iter().map(|x| x * x).sum::<f32>().sqrt();
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[Vector::from([1.0_f32, 1.0, 3.0, 5.0]); 300])?;
    /// let mut y = stream.alloc_zeroed(300)?;
    /// lengths::load(&device)?.launch(&stream, LaunchConfig::threads(300), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [6.0; 300]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn deinterleaved<'d, 'g, S: GroupShape>(self, g: &Group<'g, S>) -> Deinterleaved<'d, T>
    where
        'a: 'd,
        'g: 'd,
    {
        let elements = self.elements();
        read_ahead(elements, g.len());
        let left = elements.len();
        let (elements, start) = self.with_start();
        Deinterleaved { elements: DeinterleavedWords::new(&g.context, elements, start), left }
    }
}

// SAFETY: nobody writes the elements.
unsafe impl<'a, T: KernelArg> View for &'a Deinterleaved<'_, T> {
    type Item<'i> = Option<&'i T>;
    type Arg = DeinterleavedPlace<'a, T>;
    type Sizes = DeinterleavedSizes;
    type State = Option<T>;
    const ACCESS: Access = Access::None;
    const EDGED: bool = true;
    const BY_VALUE: bool = true;

    /// # Panics
    /// In a larger group than the one that they were taken apart for.
    #[inline(always)]
    #[track_caller]
    fn check(&self, _: [usize; 3], threads: usize) {
        self.elements.check(threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, DeinterleavedSizes) {
        (self.elements.place(), DeinterleavedSizes { left: self.left, stride: self.elements.stride() })
    }

    #[inline(always)]
    fn inside(
        sizes: DeinterleavedSizes,
        threads: usize,
        _: [usize; 3],
        _: Identity<'_>,
    ) -> Option<DeinterleavedSizes> {
        (sizes.left >= threads).then_some(DeinterleavedSizes { left: usize::MAX, ..sizes })
    }

    unsafe fn item<'i>(_: &mut Self::Arg, _: DeinterleavedSizes, _: Identity<'_>) -> Option<&'i T> {
        unreachable!("a copy is lent")
    }

    #[inline(always)]
    unsafe fn load(
        arg: &mut Self::Arg,
        DeinterleavedSizes { left, stride }: DeinterleavedSizes,
        thread: Identity<'_>,
    ) -> Option<T> {
        // SAFETY: so many elements are left, or one for each thread, and there are those of so many threads.
        unsafe { DeinterleavedWords::element(arg, left, stride, thread.number()) }
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&T> {
        state.as_ref()
    }

    #[inline(always)]
    unsafe fn store(_: &mut Self::Arg, _: DeinterleavedSizes, _: Identity<'_>, _: Option<T>) {}
}

impl<T: KernelArg> fmt::Debug for Deinterleaved<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deinterleaved").field("left", &self.left).finish_non_exhaustive()
    }
}
