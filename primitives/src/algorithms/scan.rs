//! Scans: what is before each element, combined.

use gridwright::__private::Instance;
use gridwright::__private::bytemuck::Zeroable;
use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::scan::scan_tiles;
use crate::kernels::tile::{BLOCK, tile_of};
use crate::source::{Fused, Source};
use crate::{Error, Input, Primitives, Scan, cpu};

impl<'s, K> Primitives<'s, K> {
    /// Writes for each element the combination of all elements up to it, in their order. The operator is associative, and need not be
    /// commutative.
    ///
    /// - Time: *n* elements are read once and written once, and the operator is called some 2*n* times. AMD's GPUs read them twice.
    /// - Workspace: on GPUs 8 × (*w* *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of elements of *w* words of 4 bytes; none on a CPU.
    /// - Deterministic for integers and other exact operators. On NVIDIA's GPUs, floats' rounding depends on which groups are ahead.
    ///
    /// # Errors
    /// [`Error::Lengths`] if the output doesn't have the input's length, and of the input; [`Error::Endless`], [`Error::Workspace`], and
    /// those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Add;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, mut sums) = (stream.upload(&[3_u32, 1, 2])?, stream.alloc_zeroed(3)?);
    /// primitives::on(&stream).inclusive_scan(&x, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [3, 4, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceScan::InclusiveScan`, `thrust::inclusive_scan`.
    pub fn inclusive_scan<'b, 'o, I, O>(
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
        K: Scan<I::Source, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let input = Ready::new(input, &none)?;
        let out = same_len(out.into(), input.len)?;
        if self.is_cpu() {
            return self.on_cpu(input, out, move |workers, input, out| {
                // SAFETY: the input has as many elements.
                unsafe { cpu::inclusive_scan(workers, input, out, |a, b| operator.call((a, b))) };
            });
        }
        self.scan::<false, _, _, K::Inclusive>(input, Zeroable::zeroed(), operator, out)
    }

    /// Writes for each element the combination of `init` and all elements before it, in their order. The operator is associative, and need
    /// not be commutative.
    ///
    /// - Time: *n* elements are read once and written once, and the operator is called some 2*n* times. AMD's GPUs read them twice.
    /// - Workspace: on GPUs 8 × (*w* *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of elements of *w* words of 4 bytes; none on a CPU.
    /// - Deterministic for integers and other exact operators. On NVIDIA's GPUs, floats' rounding depends on which groups are ahead.
    ///
    /// # Errors
    /// Those of [`inclusive_scan`](Self::inclusive_scan).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (counts, mut offsets) = (stream.upload(&[3_u32, 1, 2])?, stream.alloc_zeroed(3)?);
    /// primitives::on(&stream).exclusive_scan(&counts, 0, Add, &mut offsets)?;
    /// assert_eq!(stream.download(&offsets)?, [0, 3, 4]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceScan::ExclusiveScan`, `thrust::exclusive_scan`.
    pub fn exclusive_scan<'b, 'o, I, O>(
        &self,
        input: I,
        init: <I::Source as Source>::Item,
        operator: O,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: Scan<I::Source, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let input = Ready::new(input, &none)?;
        let out = same_len(out.into(), input.len)?;
        if self.is_cpu() {
            return self.on_cpu(input, out, move |workers, input, out| {
                // SAFETY: the input has as many elements.
                unsafe { cpu::exclusive_scan(workers, input, out, init, |a, b| operator.call((a, b))) };
            });
        }
        self.scan::<true, _, _, K::Exclusive>(input, init, operator, out)
    }
}

impl<K> Primitives<'_, K> {
    /// Launches the kernel of a scan.
    fn scan<const EXCLUSIVE: bool, S, O, Q>(
        &self,
        Ready { len, source, a, b, c }: Ready<'_, S>,
        init: S::Item,
        operator: O,
        out: BufferSliceMut<'_, S::Item>,
    ) -> Result<(), Error>
    where
        S: Fused<Item: KernelArg>,
        O: Operator<(S::Item, S::Item), Output = S::Item>,
        K: Scan<S, O>,
        Q: Instance<scan_tiles<S, O, EXCLUSIVE>>,
    {
        let tiles = len.div_ceil(tile_of::<S::Item>());
        let Some((mut temporary, state_len)) = self.state::<S::Item>(tiles)? else { return Ok(()) };
        if tiles == 0 {
            return Ok(());
        }
        let mut state = temporary.parts().take(state_len)?;
        let config = LaunchConfig::grid(tiles, BLOCK);
        if self.looks_back() {
            self.stream.fill(&mut state, 0)?;
        } else {
            let arguments = (source, operator, len, a.clone(), b.clone(), c.clone(), state.reborrow());
            // SAFETY: the input has as many elements, and there is a group for each tile.
            unsafe { self.launch::<K::Totals, _, _>(config, arguments)? };
            let arguments = (operator, u32::from(EXCLUSIVE), init, tiles, state.reborrow());
            // SAFETY: there is one group.
            unsafe { self.launch::<K::Starts, _, _>(LaunchConfig::grid(1, BLOCK), arguments)? };
        }
        let arguments = (source, operator, init, len, a, b, c, out, state);
        // SAFETY: input and output have as many elements; the state was made ready for as many tiles as there are groups.
        unsafe { self.launch::<Q, _, _>(config, arguments) }
    }
}

/// An output, which must have so many elements.
pub(crate) fn same_len<T: KernelArg>(
    out: BufferSliceMut<'_, T>,
    len: usize,
) -> Result<BufferSliceMut<'_, T>, Error> {
    if out.len() == len {
        Ok(out)
    } else {
        Err(Error::Lengths { what: "the output", expected: len, given: out.len() })
    }
}

/// Memory for a number, which must have one element.
pub(crate) fn one(count: BufferSliceMut<'_, u64>) -> Result<BufferSliceMut<'_, u64>, Error> {
    if count.len() == 1 {
        Ok(count)
    } else {
        Err(Error::Lengths { what: "the count", expected: 1, given: count.len() })
    }
}
