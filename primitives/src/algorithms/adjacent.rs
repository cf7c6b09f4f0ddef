//! What an operator makes of neighbours.

use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use super::scan::same_len;
use crate::input::Ready;
use crate::kernels::tile::{BLOCK, tile_of};
use crate::source::{Fused, Source};
use crate::{AdjacentDifference, Error, Input, Primitives, cpu};

impl<'s, K> Primitives<'s, K> {
    /// Writes for each element what an operator makes of it and the element before it, and the first element as it is.
    ///
    /// - Time: *n* operations; each element is read once and written once.
    /// - Workspace: none.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Lengths`] if the output doesn't have the input's length, and of the input; [`Error::Endless`], and those of a launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Subtract;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, mut steps) = (stream.upload(&[3_u32, 4, 9])?, stream.alloc_zeroed(3)?);
    /// primitives::on(&stream).adjacent_difference(&x, Subtract, &mut steps)?;
    /// assert_eq!(stream.download(&steps)?, [3, 1, 5]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceAdjacentDifference::SubtractLeftCopy`, `thrust::adjacent_difference`.
    pub fn adjacent_difference<'b, 'o, I, O>(
        &self,
        input: I,
        operator: O,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: AdjacentDifference<I::Source, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        let out = same_len(out.into(), len)?;
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, out, move |workers, input, out| {
                // SAFETY: the input has as many elements.
                unsafe { cpu::adjacent_difference(workers, input, out, |a, b| operator.call((a, b))) };
            });
        }
        if len == 0 || self.is_measured() {
            return Ok(());
        }
        let tiles = len.div_ceil(tile_of::<<I::Source as Source>::Item>());
        let arguments = (source, operator, len, a, b, c, out);
        // SAFETY: input and output have as many elements, and there is a group for each tile.
        unsafe { self.launch::<K::Tiles, _, _>(LaunchConfig::grid(tiles, BLOCK), arguments) }
    }
}
