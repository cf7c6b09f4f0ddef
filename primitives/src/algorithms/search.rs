use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use crate::input::Ready;
use crate::source::{Fused, Source};
use crate::{Error, Input, Primitives, Search, cpu};

impl<K> Primitives<'_, K> {
    /// For each needle, how many of the sorted elements are less than it: the first place at which it could stand among them.
    ///
    /// `less` says whether its first argument stands before the second; elements are sorted by it. Where they aren't, places are any.
    ///
    /// - Time: *m* log *n*, of *m* needles.
    /// - Workspace: none.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Lengths`] where there aren't as many places as needles, and those of the input and of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Less;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (sorted, needles) = (stream.upload(&[1_u32, 3, 3, 5])?, stream.upload(&[3_u32, 9])?);
    /// let mut places = stream.alloc_zeroed(2)?;
    /// primitives::on(&stream).lower_bound(&needles, &sorted, Less, &mut places)?;
    /// assert_eq!(stream.download(&places)?, [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `thrust::lower_bound`, `cub::DeviceFind::LowerBound`.
    pub fn lower_bound<'b, 'p, I, L>(
        &self,
        needles: I,
        sorted: impl Into<BufferSlice<'b, <I::Source as Source>::Item>>,
        less: L,
        places: impl Into<BufferSliceMut<'p, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        L: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        K: Search<I::Source, L>,
    {
        self.bound::<I, L, false>(needles, sorted.into(), less, places.into())
    }

    /// For each needle, how many of the sorted elements aren't above it: the last place at which it could stand among them.
    ///
    /// Time, workspace and determinism are those of [`lower_bound`](Self::lower_bound).
    ///
    /// # Errors
    /// As of [`lower_bound`](Self::lower_bound).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Less;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (sorted, needles) = (stream.upload(&[1_u32, 3, 3, 5])?, stream.upload(&[3_u32, 0])?);
    /// let mut places = stream.alloc_zeroed(2)?;
    /// primitives::on(&stream).upper_bound(&needles, &sorted, Less, &mut places)?;
    /// assert_eq!(stream.download(&places)?, [3, 0]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `thrust::upper_bound`, `cub::DeviceFind::UpperBound`.
    pub fn upper_bound<'b, 'p, I, L>(
        &self,
        needles: I,
        sorted: impl Into<BufferSlice<'b, <I::Source as Source>::Item>>,
        less: L,
        places: impl Into<BufferSliceMut<'p, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        L: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        K: Search<I::Source, L>,
    {
        self.bound::<I, L, true>(needles, sorted.into(), less, places.into())
    }

    fn bound<'b, I, L, const BEHIND: bool>(
        &self,
        needles: I,
        sorted: BufferSlice<'b, <I::Source as Source>::Item>,
        less: L,
        places: BufferSliceMut<'_, u64>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        L: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        K: Search<I::Source, L>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(needles, &none)?;
        if places.len() != len {
            return Err(Error::Lengths { what: "the places", expected: len, given: places.len() });
        }
        if self.is_measured() || len == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            let needles = Ready { len, source, a, b, c };
            return self.on_cpu(needles, (sorted, places), move |workers, needles, (sorted, places)| {
                let less = |a: &_, b: &_| less.call((*a, *b));
                // SAFETY: there are as many needles as places.
                unsafe {
                    if BEHIND {
                        cpu::upper_bound(workers, sorted, needles, places, less);
                    } else {
                        cpu::lower_bound(workers, sorted, needles, places, less);
                    }
                }
            });
        }
        let arguments = (source, less, u32::from(BEHIND), a, b, c, sorted, places);
        // SAFETY: there are as many needles as places.
        unsafe { self.launch::<K::All, _, _>(LaunchConfig::threads(len), arguments) }
    }
}
