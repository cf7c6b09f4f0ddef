use std::ops::Range;

use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::histogram::{BLOCK, TILE, own_counts};
use crate::source::{Fused, InRanges, Index, Leaves, Map, Slice, Source};
use crate::{Error, Even, EvenBins, Histogram, Input, Primitives, cpu};

/// The most groups of a launch: as many as a large GPU has at a time.
const MOST_GROUPS: usize = 1024;

impl<K> Primitives<'_, K> {
    /// How many elements of an input are each number: `counts[i]` becomes the number of those that are `i`. Larger ones aren't counted.
    ///
    /// - Time: *n* + *bins*; each element is read once. With more than 8192 bins, threads wait for each other at full bins.
    /// - Workspace: none.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Limit`] with 2³² elements or more, as a count has 32 bits, and those of the input and of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[2_u32, 0, 2, 7])?;
    /// let mut counts = stream.alloc_zeroed(3)?;
    /// primitives::on(&stream).histogram(&x, &mut counts)?;
    /// assert_eq!(stream.download(&counts)?, [1, 0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// The sample `histogram`; `cub::DeviceHistogram::HistogramEven` of one bin for each number.
    pub fn histogram<'b, 'o, I>(
        &self,
        input: I,
        counts: impl Into<BufferSliceMut<'o, u32>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: Index>>,
        K: Histogram<I::Source>,
    {
        let mut counts = counts.into();
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        if u32::try_from(len).is_err() {
            return Err(Error::Limit {
                what: "elements of a histogram",
                given: len,
                most: u32::MAX as usize,
            });
        }
        if self.is_measured() || counts.is_empty() {
            return Ok(());
        }
        self.stream.fill(&mut counts, 0)?;
        if len == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, counts, move |workers, input, counts| {
                // SAFETY: the input has as many elements.
                unsafe { cpu::histogram_of_bins(workers, input, len, counts) };
            });
        }
        let turns = len.div_ceil(TILE).div_ceil(MOST_GROUPS);
        let groups = len.div_ceil(TILE * turns);
        let config = LaunchConfig::grid(groups, BLOCK).workgroup::<u32>(own_counts(counts.len()));
        // SAFETY: the input has as many elements.
        unsafe { self.launch::<K::Count, _, _>(config, (source, len, turns, a, b, c, counts)) }
    }

    /// How many elements are in each of equally wide bins, which there are as many of as counts: bin `i` of *n* is from
    /// `start + i * (end - start) / n` up to the next one. Elements outside of the range, and NaN, are in none.
    ///
    /// Of integers bins are exact. Of floats an element's bin is computed, with rounding: `(x - start) * (n / (end - start))`.
    ///
    /// Time, workspace and determinism are those of [`histogram`](Self::histogram).
    ///
    /// # Errors
    /// Those of [`histogram`](Self::histogram), and [`Error::Limit`] with 2³² counts or more.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[0.1_f32, 0.2, 0.6, -1.0, 1.0])?;
    /// let mut counts = stream.alloc_zeroed(2)?;
    /// primitives::on(&stream).histogram_even(&x, 0.0..1.0, &mut counts)?;
    /// assert_eq!(stream.download(&counts)?, [2, 1]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceHistogram::HistogramEven`.
    pub fn histogram_even<'b, 'o, I>(
        &self,
        input: I,
        range: Range<<I::Source as Source>::Item>,
        counts: impl Into<BufferSliceMut<'o, u32>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Source<Item: Even>>,
        Map<I::Source, EvenBins<<I::Source as Source>::Item>>: Fused<Item = u32>,
        K: Histogram<Map<I::Source, EvenBins<<I::Source as Source>::Item>>>,
    {
        let counts = counts.into();
        let most = u32::MAX - 1;
        let bins = u32::try_from(counts.len()).ok().filter(|bins| *bins <= most).ok_or(Error::Limit {
            what: "bins of a histogram",
            given: counts.len(),
            most: most as usize,
        })?;
        self.histogram(input.map(EvenBins::new(range.start, range.end, bins)), counts)
    }

    /// How many elements are in each of the ranges between neighbouring boundaries, which ascend: bin `i` is from `boundaries[i]` up to
    /// `boundaries[i + 1]`. Elements outside, and NaN, are in none. Where boundaries don't ascend, the counts are any.
    ///
    /// - Time: *n* log *bins*.
    /// - Workspace: none.
    /// - Deterministic.
    ///
    /// # Errors
    /// Those of [`histogram`](Self::histogram), and [`Error::Lengths`] where there isn't one boundary more than counts.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, boundaries) = (stream.upload(&[0.5_f32, 3.0, 9.9, 10.0])?, stream.upload(&[0.0, 1.0, 10.0])?);
    /// let mut counts = stream.alloc_zeroed(2)?;
    /// primitives::on(&stream).histogram_ranges(&x, &boundaries, &mut counts)?;
    /// assert_eq!(stream.download(&counts)?, [1, 2]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceHistogram::HistogramRange`.
    pub fn histogram_ranges<'b, 'o, I, T>(
        &self,
        input: I,
        boundaries: impl Into<BufferSlice<'b, T>>,
        counts: impl Into<BufferSliceMut<'o, u32>>,
    ) -> Result<(), Error>
    where
        T: KernelArg + PartialOrd,
        I: Input<'b, Source: Source<Item = T>>,
        InRanges<I::Source, T>: Fused<Item = u32>,
        K: Histogram<InRanges<I::Source, T>>,
    {
        let (boundaries, counts) = (boundaries.into(), counts.into());
        if boundaries.len() != counts.len() + 1 {
            let expected = counts.len() + 1;
            return Err(Error::Lengths { what: "the boundaries", expected, given: boundaries.len() });
        }
        self.histogram(Ranged { input, boundaries }, counts)
    }
}

/// An input's elements as the ranges that they are in.
struct Ranged<'b, I, T> {
    input: I,
    boundaries: BufferSlice<'b, T>,
}

// SAFETY: length and slices are those of the input.
unsafe impl<'b, T: KernelArg + PartialOrd, I: Input<'b, Source: Source<Item = T>>> Input<'b>
    for Ranged<'b, I, T>
{
    type Source = InRanges<I::Source, T>;

    fn len(&self) -> Result<Option<usize>, Error> {
        self.input.len()
    }

    fn source(&self) -> Result<Self::Source, Error> {
        Ok(InRanges { source: self.input.source()?, boundaries: Slice::new() })
    }

    fn slices<Rest: Leaves>(
        self,
        rest: Rest::Buffers<'b>,
    ) -> <<Self::Source as Source>::Leaves<Rest> as Leaves>::Buffers<'b> {
        self.input.slices::<(T, Rest)>((self.boundaries, rest))
    }
}
