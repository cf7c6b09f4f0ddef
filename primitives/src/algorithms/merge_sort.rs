use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::kernels::merge::{BLOCK, tile};
use crate::workspace::Bytes;
use crate::{Error, MergeSort, Primitives, cpu};

impl<K> Primitives<'_, K> {
    /// Sorts elements where they lie, by a comparison. Equal ones stay in their order.
    ///
    /// `less` says whether its first argument comes before the second. One that isn't an order gives any elements of those that there were.
    ///
    /// - Time: *n* log *n* comparisons; on a GPU elements are moved log₂(*n* / 2048) + 1 times.
    /// - Workspace: *n* elements; none where there are fewer than two, and on a GPU up to 2048.
    /// - Deterministic, and stable.
    ///
    /// On a GPU an element has at most 128 bytes; others don't compile.
    ///
    /// # Errors
    /// [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Greater;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut x = stream.upload(&[1_u32, 3, 2])?;
    /// primitives::on(&stream).merge_sort(&mut x, Greater)?;
    /// assert_eq!(stream.download(&x)?, [3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceMergeSort::StableSortKeys`, `thrust::stable_sort`.
    pub fn merge_sort<'b, T: KernelArg, L>(
        &self,
        elements: impl Into<BufferSliceMut<'b, T>>,
        less: L,
    ) -> Result<(), Error>
    where
        L: Operator<(T, T), Output = bool>,
        K: MergeSort<T, L>,
    {
        let mut elements = elements.into();
        let len = elements.len();
        let alone = if self.is_cpu() { 1 } else { tile::<T>() };
        let needed = Bytes::default().and::<T>(if len <= alone { 0 } else { len });
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len < 2 {
            return Ok(());
        }
        if self.is_cpu() {
            let other = temporary.parts().take::<T>(len)?;
            self.stream.on_cpu((elements, other), move |workers, (elements, other)| {
                cpu::merge_sort(*workers, elements, other, |a, b| less.call((*a, *b)));
            })?;
            return Ok(());
        }
        let config = LaunchConfig::grid(len.div_ceil(tile::<T>()), BLOCK);
        if len <= alone {
            // SAFETY: there is a group for the tile.
            return unsafe { self.launch::<K::Blocks, _, _>(config, (less, elements)) };
        }
        let mut other = temporary.parts().take::<T>(len)?;
        // The last launch writes the caller's memory.
        let passes = len.div_ceil(tile::<T>()).next_power_of_two().ilog2();
        let mut is_here = passes % 2 == 0;
        if !is_here {
            self.stream.copy(&elements, &mut other)?;
        }
        let first = if is_here { elements.reborrow() } else { other.reborrow() };
        // SAFETY: there is a group for each tile.
        unsafe { self.launch::<K::Blocks, _, _>(config, (less, first))? };
        for pass in 0..passes {
            let (from, to) = if is_here {
                (elements.as_slice(), other.reborrow())
            } else {
                (other.as_slice(), elements.reborrow())
            };
            // SAFETY: both are as long, and there is a group for each tile.
            unsafe { self.launch::<K::Merge, _, _>(config, (less, tile::<T>() << pass, from, to))? };
            is_here = !is_here;
        }
        Ok(())
    }
}
