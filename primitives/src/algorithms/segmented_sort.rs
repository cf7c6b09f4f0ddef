use gridwright::memory::{BufferParts, BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use super::sort::Digits;
use crate::kernels::order::{BLOCK, segment_of};
use crate::workspace::{Bytes, Temporary};
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
        let (len, bits) = (within_limit(keys.len())?, order.range::<T>()?);
        if self.is_cpu() {
            let needed = Bytes::default().and::<T>(len);
            let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
            let temporary = temporary.parts().take::<T>(len)?;
            let descending = order.is_descending();
            self.stream.on_cpu((keys, temporary, offsets), move |workers, (keys, temporary, offsets)| {
                let all = all_ends(offsets, keys.len());
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
        let by_segments = digits_of_segments(offsets.len())?;
        let needed = Bytes::default().and::<u32>(len);
        let needed = self.bytes_of_sort::<T, u32>(len, &by_keys, needed);
        let needed = self.bytes_of_sort::<u32, T>(len, &by_segments, needed);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len < 2 {
            return Ok(());
        }
        let mut parts = temporary.parts();
        let mut segments = parts.take::<u32>(len)?;
        self.number_segments(offsets, segments.reborrow())?;
        // By the key, and then, as the sort is stable, by the segment.
        self.sort_in(keys.reborrow(), segments.reborrow(), &by_keys, &mut parts)?;
        self.sort_in(segments, keys, &by_segments, &mut parts)
    }

    /// Sorts the keys of each segment and their values, where they lie. Segments are those of [`sort_segments`](Self::sort_segments).
    ///
    /// - Time: on a GPU that of four [`sort_pairs`](Self::sort_pairs) of all keys, whatever the segments are.
    /// - Workspace: on a GPU *n* keys, 2 *n* `u32`, and that of a [`sort_pairs`](Self::sort_pairs); on a CPU *n* keys and values.
    /// - Deterministic, and stable.
    ///
    /// # Errors
    /// Those of [`sort_segments`](Self::sort_segments), and [`Error::Lengths`] where there aren't as many values.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::{self as primitives, SortOrder};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[3_u32, 1, 2, 9, 7, 8])?;
    /// let mut values = stream.upload(&[0_u32, 1, 2, 3, 4, 5])?;
    /// let offsets = stream.upload(&[0_u32, 3, 6])?;
    /// let order = SortOrder::ascending();
    /// primitives::on(&stream).sort_segments_pairs(&mut keys, &mut values, &offsets, order)?;
    /// assert_eq!(stream.download(&keys)?, [1, 2, 3, 7, 8, 9]);
    /// assert_eq!(stream.download(&values)?, [1, 2, 0, 4, 5, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedSort::StableSortPairs`.
    pub fn sort_segments_pairs<'b, 'o, T: SortKey, V: KernelArg>(
        &self,
        keys: impl Into<BufferSliceMut<'b, T>>,
        values: impl Into<BufferSliceMut<'b, V>>,
        offsets: impl Into<BufferSlice<'o, u32>>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, u32> + Sort<T, V> + Sort<u32, T> + Sort<u32, V>,
    {
        let (mut keys, mut values, offsets) = (keys.into(), values.into(), offsets.into());
        let (len, bits) = (within_limit(keys.len())?, order.range::<T>()?);
        if values.len() != len {
            return Err(Error::Lengths { what: "the values", expected: len, given: values.len() });
        }
        if self.is_cpu() {
            let needed = Bytes::default().and::<T>(len).and::<V>(len);
            let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
            let mut parts = temporary.parts();
            let arguments = (keys, values, parts.take::<T>(len)?, parts.take::<V>(len)?, offsets);
            let descending = order.is_descending();
            self.stream.on_cpu(
                arguments,
                move |workers, (keys, values, keys_temp, values_temp, offsets)| {
                    let (all, bits) = (all_ends(offsets, keys.len()), bits.clone());
                    // Offsets that don't ascend leave the keys as they are.
                    let _ = cpu::sort_segments(
                        *workers,
                        keys,
                        values,
                        keys_temp,
                        values_temp,
                        &all,
                        bits,
                        descending,
                    );
                },
            )?;
            return Ok(());
        }
        let (by_keys, by_segments) = (Digits::new::<T>(order)?, digits_of_segments(offsets.len())?);
        let own = Bytes::default().and::<T>(len).and::<u32>(len).and::<u32>(len);
        let needed = self
            .bytes_of_sort::<T, u32>(len, &by_keys, own)
            .max(self.bytes_of_sort::<T, V>(len, &by_keys, own))
            .max(self.bytes_of_sort::<u32, T>(len, &by_segments, own))
            .max(self.bytes_of_sort::<u32, V>(len, &by_segments, own));
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len < 2 {
            return Ok(());
        }
        // By the key, and then by the segment; values and what says how to sort them in the same way. Sorts are stable, so that two of the same
        // keys put what they take along in the same order.
        let Own { mut keys_again, mut segments, mut parts, .. } = Own::of(&mut temporary, len)?;
        self.number_segments(offsets, segments.reborrow())?;
        self.stream.copy(&keys, &mut keys_again)?;
        self.sort_in(keys_again, values.reborrow(), &by_keys, &mut parts)?;
        let Own { segments, mut parts, .. } = Own::<T>::of(&mut temporary, len)?;
        self.sort_in(keys.reborrow(), segments, &by_keys, &mut parts)?;
        let Own { segments, mut segments_again, mut parts, .. } = Own::<T>::of(&mut temporary, len)?;
        self.stream.copy(&segments, &mut segments_again)?;
        self.sort_in(segments_again, values, &by_segments, &mut parts)?;
        let Own { segments, mut parts, .. } = Own::<T>::of(&mut temporary, len)?;
        self.sort_in(segments, keys, &by_segments, &mut parts)
    }

    /// Writes the number of each element's segment, from 1 on; 0 before the first.
    fn number_segments(
        &self,
        offsets: BufferSlice<'_, u32>,
        segments: BufferSliceMut<'_, u32>,
    ) -> Result<(), Error> {
        let config = LaunchConfig::threads(segments.len()).block(BLOCK);
        segment_of::load(self.stream.device())?.launch(self.stream, config, (offsets, segments))?;
        Ok(())
    }
}

/// What a sort of pairs in segments has from one of its sorts to the next, and the memory that each of these uses.
struct Own<'t, T: KernelArg> {
    keys_again: BufferSliceMut<'t, T>,
    segments: BufferSliceMut<'t, u32>,
    segments_again: BufferSliceMut<'t, u32>,
    parts: BufferParts<'t>,
}

impl<'t, T: KernelArg> Own<'t, T> {
    /// Takes the parts in one order, so that each call has them where others do.
    fn of(temporary: &'t mut Temporary<'_>, len: usize) -> Result<Self, Error> {
        let mut parts = temporary.parts();
        let keys_again = parts.take(len)?;
        let (segments, segments_again) = (parts.take(len)?, parts.take(len)?);
        Ok(Self { keys_again, segments, segments_again, parts })
    }
}

/// A number of keys, which places of 32 bits must have.
fn within_limit(len: usize) -> Result<usize, Error> {
    if u32::try_from(len).is_ok() {
        return Ok(len);
    }
    Err(Error::Limit { what: "keys in segments", given: len, most: u32::MAX as usize })
}

/// The bits of the segments' numbers.
fn digits_of_segments(offsets: usize) -> Result<Digits, Error> {
    let most = u32::try_from(offsets).unwrap_or(u32::MAX);
    Digits::new::<u32>(SortOrder::ascending().bits(0..u32::BITS - most.leading_zeros()))
}

/// Where segments end, that before the first offset and that behind the last one too.
fn all_ends(offsets: &[u32], len: usize) -> Vec<usize> {
    let offsets = offsets.iter().map(|offset| *offset as usize);
    std::iter::once(0).chain(offsets).chain([len]).collect()
}
