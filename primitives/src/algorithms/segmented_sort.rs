use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use super::sort::Digits;
use crate::kernels::order::{BLOCK, segment_of};
use crate::workspace::Bytes;
use crate::{Error, Primitives, Sort, SortKey, SortOrder, cpu};

impl<K> Primitives<'_, K> {
    /// Sorts the keys of each segment, where they lie: segment `i` is from `offsets[i]` up to `offsets[i + 1]`. What is before the first offset
    /// and behind the last is a segment too. Where offsets don't ascend, keys are in any order.
    ///
    /// - Time: on a GPU that of two [`sort_pairs`](Self::sort_pairs) of all keys, whatever the segments are.
    /// - Workspace: on a GPU that of two [`sort_pairs`](Self::sort_pairs), and *n* `u32`; on a CPU *n* keys.
    /// - Deterministic, and stable.
    ///
    /// # Errors
    /// [`Error::Limit`] where there are 2³² keys or more, or a key hasn't as many bits; [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::{self as primitives, SortOrder};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[3_u32, 1, 2, 9, 7, 8])?;
    /// let offsets = stream.upload(&[0_u32, 3, 6])?;
    /// primitives::on(&stream).sort_segments(&mut keys, &offsets, SortOrder::ascending())?;
    /// assert_eq!(stream.download(&keys)?, [1, 2, 3, 7, 8, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedSort::StableSortKeys`, `cub::DeviceSegmentedRadixSort`.
    pub fn sort_segments<'b, 'o, T: SortKey>(
        &self,
        keys: impl Into<BufferSliceMut<'b, T>>,
        offsets: impl Into<BufferSlice<'o, u32>>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, u32> + Sort<u32, T>,
    {
        let (mut keys, offsets) = (keys.into(), offsets.into());
        let (len, bits) = (keys.len(), order.range::<T>()?);
        if u32::try_from(len).is_err() {
            return Err(Error::Limit { what: "keys in segments", given: len, most: u32::MAX as usize });
        }
        if self.is_cpu() {
            let needed = Bytes::default().and::<T>(len);
            let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
            let temporary = temporary.parts().take::<T>(len)?;
            let descending = order.is_descending();
            self.stream.on_cpu((keys, temporary, offsets), move |workers, (keys, temporary, offsets)| {
                let ends = offsets.iter().map(|offset| *offset as usize);
                let all: Vec<usize> = std::iter::once(0).chain(ends).chain([keys.len()]).collect();
                let (values, values_temp) = (&mut vec![(); keys.len()], &mut vec![(); keys.len()]);
                // Offsets that don't ascend leave the keys as they are.
                let _ = cpu::sort_segments(
                    *workers,
                    keys,
                    values,
                    temporary,
                    values_temp,
                    &all,
                    bits.clone(),
                    descending,
                );
            })?;
            return Ok(());
        }
        let by_keys = Digits::new::<T>(order)?;
        let most = u32::try_from(offsets.len()).unwrap_or(u32::MAX);
        let by_segments =
            Digits::new::<u32>(SortOrder::ascending().bits(0..u32::BITS - most.leading_zeros()))?;
        let needed = Bytes::default().and::<u32>(len);
        let needed = self.bytes_of_sort::<T, u32>(len, &by_keys, needed);
        let needed = self.bytes_of_sort::<u32, T>(len, &by_segments, needed);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len < 2 {
            return Ok(());
        }
        let mut parts = temporary.parts();
        let mut segments = parts.take::<u32>(len)?;
        let config = LaunchConfig::threads(len).block(BLOCK);
        segment_of::load(self.stream.device())?.launch(
            self.stream,
            config,
            (offsets, segments.reborrow()),
        )?;
        // By the key, and then, as the sort is stable, by the segment.
        self.sort_in(keys.reborrow(), segments.reborrow(), &by_keys, &mut parts)?;
        self.sort_in(segments, keys, &by_segments, &mut parts)
    }
}
