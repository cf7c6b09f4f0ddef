//! Reductions of segments.

use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::tile::BLOCK;
use crate::source::{Fused, Index, Source};
use crate::{Error, Input, Primitives, ReduceSegments, cpu};

/// Lanes of the largest warp: a group has at least as many warps as threads for each of these.
const MOST_LANES: usize = 64;

impl<'s, K> Primitives<'s, K> {
    /// Writes the elements of each segment combined by an operator, which is associative and commutative; `neutral`, which changes nothing, if
    /// there are none. Segment *i* is from offset *i* to the next one: there is an offset more than segments. Offsets beyond the last element
    /// are taken for it, and a segment that ends before it begins is empty.
    ///
    /// - Time: *n* operations; each element is read once. On GPUs each segment is one warp's: very long ones among short ones take long.
    /// - Workspace: none.
    /// - Deterministic: elements are combined in an order that depends on their number and on the device's kind alone.
    ///
    /// # Errors
    /// [`Error::Lengths`] if there isn't an offset more than results, and of the input; [`Error::Endless`], and those of a launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, offsets) = (stream.upload(&[3_u32, 4, 9])?, stream.upload(&[0_u32, 2, 2, 3])?);
    /// let mut sums = stream.alloc_zeroed(3)?;
    /// primitives::on(&stream).reduce_segments(&x, &offsets, 0, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [7, 0, 9]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedReduce::Reduce`.
    pub fn reduce_segments<'b, 'i, 'o, I, N, O>(
        &self,
        input: I,
        offsets: impl Into<BufferSlice<'i, N>>,
        neutral: <I::Source as Source>::Item,
        operator: O,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        N: Index,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: ReduceSegments<I::Source, N, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        let (offsets, out) = (offsets.into(), out.into());
        let segments = out.len();
        if offsets.len() != segments.saturating_add(1) {
            let (expected, given) = (segments.saturating_add(1), offsets.len());
            return Err(Error::Lengths { what: "the offsets", expected, given });
        }
        if self.is_cpu() {
            return self.on_cpu(
                Ready { len, source, a, b, c },
                (offsets, out),
                move |workers, input, (offsets, out)| {
                    let op = |a, b| operator.call((a, b));
                    if let Ok(offsets) = cpu::Offsets::new(offsets, len) {
                        // SAFETY: the input has as many elements as the last offset says, and there are as many results as segments.
                        unsafe { cpu::reduce_segments(workers, input, offsets, neutral, op, out) };
                        return;
                    }
                    // Offsets that aren't in order name any elements, some of them more than once.
                    for (bounds, out) in offsets.windows(2).zip(out) {
                        let [start, end] =
                            [bounds[0], bounds[1]].map(|bound| bound.index().min(len as u64) as usize);
                        // SAFETY: below the length.
                        *out = (start..end)
                            .fold(neutral, |total, i| op(total, unsafe { cpu::Read::get(input, i) }));
                    }
                },
            );
        }
        if segments == 0 || self.is_measured() {
            return Ok(());
        }
        let config = LaunchConfig::grid(segments.div_ceil(BLOCK / MOST_LANES), BLOCK);
        let arguments = (source, operator, neutral, len, a, b, c, offsets, out);
        // SAFETY: the input has as many elements.
        unsafe { self.launch::<K::OfWarps, _, _>(config, arguments) }
    }
}
