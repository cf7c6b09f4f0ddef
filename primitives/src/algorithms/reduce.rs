//! Reduction of all elements.

use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::reduce::{BLOCK, MOST_TURNS, TILE};
use crate::source::{Fused, Slice, Source};
use crate::workspace::Bytes;
use crate::{Error, Input, Primitives, Reduce, cpu};

/// The most groups of a launch: as many as a large GPU has at a time, and few enough that one group reduces what they found.
const MOST_GROUPS: usize = 1024;

impl<'s, K> Primitives<'s, K> {
    /// The elements combined by an operator, which is associative and commutative; `neutral`, which changes nothing, if there are none.
    ///
    /// - Time: *n* operations; each element is read once.
    /// - Workspace: on GPUs an element for each of *g* groups, of which each has as many whole tiles of 8192 elements: *t* tiles are
    ///   ⌈*t* / ⌈*t* / 1024⌉⌉ groups, and none is one. None on a CPU.
    /// - Deterministic: elements are combined in an order that depends on their number and on the device's kind alone.
    ///
    /// # Errors
    /// [`Error::Lengths`] and [`Error::Endless`] of the input, [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Max};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3_u32, 1, 2])?;
    /// let p = primitives::on(&stream);
    /// assert_eq!(p.reduce(&x, 0, Add)?, 6);
    /// assert_eq!(p.reduce(&x, u32::MIN, Max)?, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceReduce::Reduce`, `thrust::reduce`.
    pub fn reduce<'b, I, O>(
        &self,
        input: I,
        neutral: <I::Source as Source>::Item,
        operator: O,
    ) -> Result<<I::Source as Source>::Item, Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: Reduce<I::Source, O>,
    {
        if self.is_cpu() {
            let none = self.stream.alloc_unset(0)?;
            let input = Ready::new(input, &none)?;
            let len = input.len;
            let result = self.value_on_cpu(input, |workers, input| {
                // SAFETY: the input has as many elements.
                unsafe { cpu::reduce(workers, input, len, neutral, cpu::By(operator)) }
            })?;
            return Ok(result.unwrap_or(neutral));
        }
        let mut result = self.stream.alloc_unset(1)?;
        self.reduce_into(input, neutral, operator, (&mut result).into())?;
        if self.is_measured() { Ok(neutral) } else { self.value(&result) }
    }

    /// As [`reduce`](Self::reduce), into memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`reduce`](Self::reduce).
    ///
    /// # Errors
    /// Those of [`reduce`](Self::reduce), and [`Error::Lengths`] where `result` isn't one element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, mut sums) = (stream.upload(&[3_u32, 1, 2])?, stream.alloc_zeroed(2)?);
    /// primitives::on(&stream).reduce_into(&x, 0, Add, sums.slice_mut(1..)?)?;
    /// assert_eq!(stream.download(&sums)?, [0, 6]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn reduce_into<'b, I, O>(
        &self,
        input: I,
        neutral: <I::Source as Source>::Item,
        operator: O,
        mut result: BufferSliceMut<'_, <I::Source as Source>::Item>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<
                (<I::Source as Source>::Item, <I::Source as Source>::Item),
                Output = <I::Source as Source>::Item,
            >,
        K: Reduce<I::Source, O>,
    {
        if result.len() != 1 {
            return Err(Error::Lengths { what: "the result", expected: 1, given: result.len() });
        }
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, result, move |workers, input, result| {
                // SAFETY: the input has as many elements.
                result[0] = unsafe { cpu::reduce(workers, input, len, neutral, cpu::By(operator)) };
            });
        }
        let turns = len.div_ceil(TILE).div_ceil(MOST_GROUPS).clamp(1, MOST_TURNS);
        let groups = len.div_ceil(TILE * turns).max(1);
        let needed = Bytes::default().and::<<I::Source as Source>::Item>(groups);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        let mut totals = temporary.parts().take(groups)?;
        let to = if groups == 1 { result.reborrow() } else { totals.reborrow() };
        let last = (len - (groups - 1) * TILE * turns) as u32;
        let arguments = (source, operator, neutral, turns as u32, last, a, b, c, to);
        // SAFETY: the input has as many elements.
        unsafe { self.launch::<K::OfGroups, _, _>(LaunchConfig::grid(groups, BLOCK), arguments)? };
        if groups > 1 {
            let (turns, last) = (groups.div_ceil(TILE) as u32, groups as u32);
            let totals = totals.as_slice();
            let arguments = (Slice::new(), operator, neutral, turns, last, totals, &none, &none, result);
            // SAFETY: there is a total of each group.
            unsafe { self.launch::<K::OfTotals, _, _>(LaunchConfig::grid(1, BLOCK), arguments)? };
        }
        Ok(())
    }
}
