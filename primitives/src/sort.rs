use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::kernels::radix::count::{self, digit_of_pass};
use crate::kernels::radix::scatter;
use crate::kernels::radix::sweep::{MOST, TURNS};
use crate::kernels::radix::{BLOCK, DIGIT_BITS, DIGITS, NoValue, Sort, TILE};
use crate::workspace::Bytes;
use crate::{Error, Primitives, SortKey, SortOrder, cpu};

/// The most groups that count digits: as many as a large GPU has at a time.
const MOST_COUNTING: usize = 512;

impl<'s, K> Primitives<'s, K> {
    /// Sorts keys where they lie, the least first: a radix sort.
    ///
    /// Floats are in the order of `total_cmp`: NaN with the sign, numbers, NaN; -0 is before +0. See [`SortKey`].
    ///
    /// - Time: 2 *n* elements are moved for each 8 bits of a key, and *n* read once more.
    /// - Workspace: *n* keys, and some 1/8 of a `u32` for each key and 8 bits of it; none up to 8064 keys on a GPU.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[2.5_f32, -1.0, 0.0])?;
    /// primitives::on(&stream).sort(&mut keys)?;
    /// assert_eq!(stream.download(&keys)?, [-1.0, 0.0, 2.5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceRadixSort::SortKeys`, `thrust::sort`.
    pub fn sort<'b, T: SortKey>(&self, keys: impl Into<BufferSliceMut<'b, T>>) -> Result<(), Error>
    where
        K: Sort<T, NoValue>,
    {
        self.sort_by(keys, SortOrder::default())
    }

    /// As [`sort`](Self::sort), in another [order](SortOrder): the highest first, or by some of the bits.
    ///
    /// # Errors
    /// Those of [`sort`](Self::sort), and [`Error::Limit`] where a key hasn't as many bits.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// use gridwright_primitives::SortOrder;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[1_u32, 3, 2])?;
    /// primitives::on(&stream).sort_by(&mut keys, SortOrder::descending())?;
    /// assert_eq!(stream.download(&keys)?, [3, 2, 1]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceRadixSort::SortKeysDescending`, `begin_bit` and `end_bit`.
    pub fn sort_by<'b, T: SortKey>(
        &self,
        keys: impl Into<BufferSliceMut<'b, T>>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, NoValue>,
    {
        let keys = keys.into();
        if self.is_cpu() {
            return self.sort_on_cpu(keys, order);
        }
        let mut none = self.stream.alloc_unset(0)?;
        self.sort_on_gpu::<T, NoValue>(keys, (&mut none).into(), order)
    }

    /// Sorts keys where they lie, the least first, and values of any type with them. Of equal keys, the order of the values stays.
    ///
    /// - Time: 2 *n* keys and values are moved for each 8 bits of a key, and *n* keys read once more.
    /// - Workspace: *n* keys and values, and some 1/8 of a `u32` for each key and 8 bits of it; none up to 8064 keys on a GPU.
    /// - Deterministic, and stable.
    ///
    /// # Errors
    /// [`Error::Lengths`] where there aren't as many values, [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[2_u32, 1, 2])?;
    /// let mut values = stream.upload(&[10_u32, 20, 30])?;
    /// primitives::on(&stream).sort_pairs(&mut keys, &mut values)?;
    /// assert_eq!(stream.download(&values)?, [20, 10, 30]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceRadixSort::SortPairs`, `thrust::stable_sort_by_key`.
    pub fn sort_pairs<'b, T: SortKey, V: KernelArg>(
        &self,
        keys: impl Into<BufferSliceMut<'b, T>>,
        values: impl Into<BufferSliceMut<'b, V>>,
    ) -> Result<(), Error>
    where
        K: Sort<T, V>,
    {
        self.sort_pairs_by(keys, values, SortOrder::default())
    }

    /// As [`sort_pairs`](Self::sort_pairs), in another [order](SortOrder), stable too.
    ///
    /// # Errors
    /// Those of [`sort_pairs`](Self::sort_pairs), and [`Error::Limit`] where a key hasn't as many bits.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// use gridwright_primitives::SortOrder;
    ///
    /// # let stream = Device::cpu()?.stream()?;
    /// let mut keys = stream.upload(&[0x10_u32, 0x02, 0x11])?;
    /// let mut values = stream.upload(&[0_u32, 1, 2])?;
    /// primitives::on(&stream).sort_pairs_by(&mut keys, &mut values, SortOrder::ascending().bits(4..8))?;
    /// assert_eq!(stream.download(&values)?, [1, 0, 2]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceRadixSort::SortPairsDescending`, `begin_bit` and `end_bit`.
    pub fn sort_pairs_by<'b, T: SortKey, V: KernelArg>(
        &self,
        keys: impl Into<BufferSliceMut<'b, T>>,
        values: impl Into<BufferSliceMut<'b, V>>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, V>,
    {
        let (keys, values) = (keys.into(), values.into());
        if values.len() != keys.len() {
            return Err(Error::Lengths { what: "the values", expected: keys.len(), given: values.len() });
        }
        if self.is_cpu() {
            self.sort_pairs_on_cpu(keys, values, order)
        } else {
            self.sort_on_gpu(keys, values, order)
        }
    }

    fn sort_on_cpu<T: SortKey>(&self, keys: BufferSliceMut<'_, T>, order: SortOrder) -> Result<(), Error> {
        let (bits, descending) = (order.range::<T>()?, order.is_descending());
        let needed = Bytes::default().and::<T>(keys.len());
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        let temporary = temporary.parts().take::<T>(keys.len())?;
        self.stream.on_cpu((keys, temporary), move |workers, (keys, temporary)| {
            cpu::radix_sort_keys(*workers, keys, temporary, bits.clone(), descending);
        })?;
        Ok(())
    }

    fn sort_pairs_on_cpu<T: SortKey, V: KernelArg>(
        &self,
        keys: BufferSliceMut<'_, T>,
        values: BufferSliceMut<'_, V>,
        order: SortOrder,
    ) -> Result<(), Error> {
        let (len, bits, descending) = (keys.len(), order.range::<T>()?, order.is_descending());
        let Some(mut temporary) =
            self.memory.take(self.stream, Bytes::default().and::<T>(len).and::<V>(len))?
        else {
            return Ok(());
        };
        let mut parts = temporary.parts();
        let temporary = (parts.take::<T>(len)?, parts.take::<V>(len)?);
        let (of_keys, of_values) = temporary;
        self.stream.on_cpu(
            (keys, values, of_keys, of_values),
            move |workers, (keys, values, of_keys, of_values)| {
                cpu::radix_sort(*workers, keys, values, of_keys, of_values, bits.clone(), descending);
            },
        )?;
        Ok(())
    }

    /// Values of no size aren't touched, and needn't be there.
    fn sort_on_gpu<T: SortKey, V: KernelArg>(
        &self,
        mut keys: BufferSliceMut<'_, T>,
        mut values: BufferSliceMut<'_, V>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, V>,
    {
        let bits = order.range::<T>()?;
        let descending = u32::from(order.is_descending());
        let (len, passes) = (keys.len(), bits.len().div_ceil(DIGIT_BITS as usize));
        let device = self.stream.device();
        if len < 2 || passes == 0 {
            return Ok(());
        }
        if len <= TILE {
            self.memory.take(self.stream, Bytes::default())?;
            if !self.is_measured() {
                let arguments = (bits.start, bits.end, descending, keys, values);
                Kernel::<K::Tile>::load(device)?.launch(
                    self.stream,
                    LaunchConfig::grid(1, BLOCK),
                    arguments,
                )?;
            }
            return Ok(());
        }
        let tiles = len.div_ceil(TILE);
        let looks_back = self.groups_progress() && len <= MOST;
        let states = TURNS + passes * DIGITS;
        let (words, counts) =
            if looks_back { (states + passes * tiles * DIGITS, 0) } else { (0, (tiles + 1) * DIGITS) };
        let needed =
            Bytes::default().and::<T>(len).and::<V>(values.len()).and::<u32>(words).and::<u64>(counts);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        let mut parts = temporary.parts();
        let mut other_keys = parts.take::<T>(len)?;
        let mut other_values = parts.take::<V>(values.len())?;
        let mut words = parts.take::<u32>(words)?;
        let mut counts = if looks_back {
            None
        } else {
            Some((parts.take::<u64>(tiles * DIGITS)?, parts.take::<u64>(DIGITS)?))
        };
        if looks_back {
            self.stream.fill(&mut words, 0)?;
            let turns = len.div_ceil(count::TILE).div_ceil(MOST_COUNTING);
            let groups = len.div_ceil(count::TILE * turns);
            Kernel::<K::Count>::load(device)?.launch(
                self.stream,
                LaunchConfig::grid(groups, count::BLOCK),
                (bits.start, bits.end, descending, turns, &keys.as_slice(), words.reborrow()),
            )?;
        }
        // The last pass writes the caller's memory.
        let mut is_here = passes % 2 == 0;
        if !is_here {
            self.stream.copy(&keys, &mut other_keys)?;
            if size_of::<V>() > 0 {
                self.stream.copy(&values, &mut other_values)?;
            }
        }
        for pass in 0..passes {
            let digit = digit_of_pass(bits.start, bits.end, descending, pass);
            let (from, to) = if is_here {
                ((keys.as_slice(), values.as_slice()), (other_keys.reborrow(), other_values.reborrow()))
            } else {
                ((other_keys.as_slice(), other_values.as_slice()), (keys.reborrow(), values.reborrow()))
            };
            let config = LaunchConfig::grid(tiles, BLOCK);
            match &mut counts {
                None => {
                    let states = states + pass * tiles * DIGITS;
                    Kernel::<K::Sweep>::load(device)?.launch(
                        self.stream,
                        config,
                        (digit, pass, states, from.0, from.1, words.reborrow(), to.0, to.1),
                    )?;
                }
                Some((counts, totals)) => {
                    let of_tiles = (digit, from.0.clone(), counts.reborrow());
                    Kernel::<K::CountTiles>::load(device)?.launch(self.stream, config, of_tiles)?;
                    scatter::starts::load(device)?.launch(
                        self.stream,
                        LaunchConfig::grid(DIGITS, BLOCK),
                        (counts.reborrow(), totals.reborrow()),
                    )?;
                    Kernel::<K::Scatter>::load(device)?.launch(
                        self.stream,
                        config,
                        (digit, from.0, from.1, counts.as_slice(), totals.as_slice(), to.0, to.1),
                    )?;
                }
            }
            is_here = !is_here;
        }
        Ok(())
    }
}
