//! Inputs into memory.

use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::collect::{BLOCK, TILE};
use crate::source::{Fused, Gather, Slice, Source};
use crate::{Collect, Error, Gathered, Input, Primitives, cpu};

impl<K> Primitives<'_, K> {
    /// Writes the elements of an input: what `map` makes of each, numbers, one value everywhere.
    ///
    /// - Time: *n*; each element is read once and written once.
    /// - Workspace: none.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Lengths`] where `output` has another length than the input, and those of the input and of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::{self as primitives, Input, counting};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut numbers = stream.alloc_zeroed(3)?;
    /// primitives::on(&stream).collect_into(counting(5).take(3), &mut numbers)?;
    /// assert_eq!(stream.download(&numbers)?, [5, 6, 7]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `thrust::transform`, `thrust::sequence`, `thrust::copy` from fancy iterators.
    pub fn collect_into<'b, 'o, I>(
        &self,
        input: I,
        output: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        K: Collect<I::Source>,
    {
        let output = output.into();
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        if output.len() != len {
            return Err(Error::Lengths { what: "the output", expected: len, given: output.len() });
        }
        if self.is_measured() || len == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, output, move |workers, input, output| {
                // SAFETY: the input has as many elements as the output.
                unsafe { cpu::collect(workers, input, output) };
            });
        }
        let config = LaunchConfig::grid(len.div_ceil(TILE), BLOCK);
        // SAFETY: input and output have as many elements.
        unsafe { self.launch::<K::All, _, _>(config, (source, len, a, b, c, output)) }
    }

    /// The elements at indices: `output[i] = values[indices[i]]`. It is [`collect_into`](Self::collect_into) of a
    /// [`gather`](Input::gather), which other algorithms take without a copy.
    ///
    /// Time, workspace and determinism are those of [`collect_into`](Self::collect_into).
    ///
    /// # Errors
    /// As of [`collect_into`](Self::collect_into). An index that isn't below the number of values is a panic of the kernel, which the next call
    /// that waits gives.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (values, indices) = (stream.upload(&[10_u32, 20, 30])?, stream.upload(&[2_u32, 0, 2, 1])?);
    /// let mut output = stream.alloc_zeroed(4)?;
    /// primitives::on(&stream).gather(&values, &indices, &mut output)?;
    /// assert_eq!(stream.download(&output)?, [30, 10, 30, 20]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `thrust::gather`.
    pub fn gather<'b, 'o, T: KernelArg, I: crate::source::Index>(
        &self,
        values: &'b Buffer<T>,
        indices: &'b Buffer<I>,
        output: impl Into<BufferSliceMut<'o, T>>,
    ) -> Result<(), Error>
    where
        K: Collect<Gather<Slice<T>, Slice<I>>>,
    {
        let gathered: Gathered<&'b Buffer<T>, &'b Buffer<I>> = values.gather(indices);
        self.collect_into(gathered, output)
    }
}
