//! Scans of segments.

use gridwright::__private::Instance;
use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use super::scan::same_len;
use crate::input::{Ready, whole};
use crate::kernels::by_key::{Run, scan_runs};
use crate::kernels::look_back::state_len;
use crate::kernels::scan_segments::Continues;
use crate::kernels::tile::{BLOCK, tile_of};
use crate::source::{Fused, Heads, Index, Leaves, Source, Zip};
use crate::workspace::Bytes;
use crate::{Error, Input, Primitives, ScanSegments, cpu};

impl<K> Primitives<'_, K> {
    /// Writes for each element the combination of the elements of its segment up to it, in their order. A segment begins with the first
    /// element and at each offset, and ends where the next one begins. The operator is associative, and need not be commutative.
    ///
    /// Offsets are in any order. Those beyond the last element begin nothing, so that the end of the last segment can be one of them, as for
    /// [`reduce_segments`](Self::reduce_segments).
    ///
    /// - Time: *n* elements are read once and written once, whatever the segments are. AMD's GPUs read them twice.
    /// - Workspace: on GPUs a bit for each element, and 8 × ((*w* + 2) *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of pairs of a
    ///   `u32` and an element of *w* words of 4 bytes; none on a CPU, which copies offsets that don't ascend.
    /// - Deterministic for integers and other exact operators. On NVIDIA's GPUs, floats' rounding depends on which groups are ahead.
    ///
    /// # Errors
    /// [`Error::Lengths`] if the output doesn't have the input's length, and of the input; [`Error::Endless`], [`Error::Workspace`], and
    /// those of a launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, offsets) = (stream.upload(&[3_u32, 4, 9, 1])?, stream.upload(&[0_u32, 2, 4])?);
    /// let mut sums = stream.alloc_zeroed(4)?;
    /// primitives::on(&stream).inclusive_scan_segments(&x, &offsets, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [3, 7, 9, 10]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedScan::InclusiveSegmentedScan`.
    pub fn inclusive_scan_segments<'b, 'i, 'o, I, N, O>(
        &self,
        input: I,
        offsets: impl Into<BufferSlice<'i, N>>,
        operator: O,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        Zip<Heads, I::Source>: Fused<Item = (u32, <I::Source as Source>::Item)>,
        N: Index,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: ScanSegments<I::Source, N, O>,
    {
        self.scan_segments::<false, _, _, _, K::Inclusive>(input, offsets.into(), None, operator, out.into())
    }

    /// Writes for each element the combination of `init` and the elements of its segment before it, in their order. Segments are those of
    /// [`inclusive_scan_segments`](Self::inclusive_scan_segments), and so are time, workspace and determinism.
    ///
    /// # Errors
    /// Those of [`inclusive_scan_segments`](Self::inclusive_scan_segments).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, offsets) = (stream.upload(&[3_u32, 4, 9, 1])?, stream.upload(&[0_u32, 2, 4])?);
    /// let mut sums = stream.alloc_zeroed(4)?;
    /// primitives::on(&stream).exclusive_scan_segments(&x, &offsets, 0, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [0, 3, 0, 9]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedScan::ExclusiveSegmentedScan`.
    pub fn exclusive_scan_segments<'b, 'i, 'o, I, N, O>(
        &self,
        input: I,
        offsets: impl Into<BufferSlice<'i, N>>,
        init: <I::Source as Source>::Item,
        operator: O,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        Zip<Heads, I::Source>: Fused<Item = (u32, <I::Source as Source>::Item)>,
        N: Index,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: ScanSegments<I::Source, N, O>,
    {
        let init = Some(init);
        self.scan_segments::<true, _, _, _, K::Exclusive>(input, offsets.into(), init, operator, out.into())
    }

    fn scan_segments<'b, const EXCLUSIVE: bool, I, N, O, Q>(
        &self,
        input: I,
        offsets: BufferSlice<'_, N>,
        init: Option<<I::Source as Source>::Item>,
        operator: O,
        out: BufferSliceMut<'_, <I::Source as Source>::Item>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        Zip<Heads, I::Source>: Fused<Item = (u32, <I::Source as Source>::Item)>,
        N: Index,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: ScanSegments<I::Source, N, O>,
        Q: Instance<
            scan_runs<Zip<Heads, I::Source>, u32, <I::Source as Source>::Item, Continues, O, EXCLUSIVE>,
        >,
    {
        let none = self.stream.alloc_unset(0)?;
        let len = input.len()?.ok_or(Error::Endless)?;
        let out = same_len(out, len)?;
        if self.is_cpu() {
            let input = Ready::new(input, &none)?;
            return self.on_cpu(input, (offsets, out), move |workers, input, (offsets, out)| {
                // SAFETY: the input has as many elements.
                unsafe {
                    cpu::scan_segments(workers, input, offsets, init, out, |a, b| operator.call((a, b)));
                };
            });
        }
        let tiles = len.div_ceil(tile_of::<(u32, <I::Source as Source>::Item)>());
        let (words, state_len) = (len.div_ceil(32), state_len::<Run<<I::Source as Source>::Item>>(tiles));
        let needed = Bytes::default().and::<u32>(words).and::<u64>(state_len);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len == 0 {
            return Ok(());
        }
        let mut parts = temporary.parts();
        let (mut heads, state) = (parts.take::<u32>(words)?, parts.take::<u64>(state_len)?);
        self.stream.fill(&mut heads, 0)?;
        if !offsets.is_empty() {
            let config = LaunchConfig::threads(offsets.len()).block(BLOCK);
            let arguments = (offsets, len, heads.reborrow());
            Kernel::<K::Heads>::load(self.stream.device())?.launch(self.stream, config, arguments)?;
        }
        let source = Zip { a: Heads, b: input.source()? };
        let slices = <<I::Source as Source>::Leaves<()> as Leaves>::shorter(input.slices::<()>(()));
        let (a, b, c) = Zip::<Heads, I::Source>::one_by_one(
            in_front::<I::Source>(heads.as_slice(), slices),
            whole(&none),
        );
        let input = Ready { len, source, a, b, c };
        self.scan_runs::<EXCLUSIVE, _, _, _, _, _, Q, K::Totals, K::Starts>(
            input, Continues, operator, init, out, state,
        )
    }
}

/// The slices of a source with those of [`Heads`] in front. (Where `Zip<Heads, S>` is said to be [`Fused`], the compiler doesn't see that it
/// is a pair of these.)
fn in_front<'b, S: Source>(
    heads: BufferSlice<'b, u32>,
    slices: <S::Leaves<()> as Leaves>::Buffers<'b>,
) -> <<Zip<Heads, S> as Source>::Leaves<()> as Leaves>::Buffers<'b> {
    (heads, slices)
}
