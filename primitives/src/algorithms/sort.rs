use gridwright::memory::{BufferParts, BufferSliceMut};
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
    /// - Workspace: *n* keys. On NVIDIA's GPUs also 1024 *p* (*t* + 1) + 64 bytes, of *t* tiles of 8064 keys and *p* digits of 8 bits; on AMD's
    ///   2048 *t* bytes, and 2048. None on a GPU up to 8064 keys.
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
    /// Time, workspace and determinism are those of [`sort`](Self::sort).
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
    /// - Workspace: *n* keys, and *n* values; and what a [`sort`](Self::sort) takes beside keys. None on a GPU up to 8064 keys.
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
    /// Time, workspace and determinism are those of [`sort_pairs`](Self::sort_pairs).
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
        keys: BufferSliceMut<'_, T>,
        values: BufferSliceMut<'_, V>,
        order: SortOrder,
    ) -> Result<(), Error>
    where
        K: Sort<T, V>,
    {
        let digits = Digits::new::<T>(order)?;
        let needed = self.bytes_of_sort::<T, V>(keys.len(), &digits, Bytes::default());
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        self.sort_in(keys, values, &digits, &mut temporary.parts())
    }

    /// What [`sort_in`](Self::sort_in) takes, and other parts.
    pub(crate) fn bytes_of_sort<T: KernelArg, V: KernelArg>(
        &self,
        len: usize,
        digits: &Digits,
        others: Bytes,
    ) -> Bytes {
        if len <= TILE || digits.passes() == 0 {
            return others;
        }
        let values = if size_of::<V>() == 0 { 0 } else { len };
        let others = others.and::<T>(len).and::<V>(values);
        match self.state_words(len, digits) {
            Some(words) => others.and::<u32>(words),
            None => others.and::<u64>(len.div_ceil(TILE) * DIGITS).and::<u64>(DIGITS),
        }
    }

    /// The words that sweeps take; none where groups don't wait for each other.
    fn state_words(&self, len: usize, digits: &Digits) -> Option<usize> {
        let tiles = len.div_ceil(TILE);
        (self.looks_back() && len <= MOST).then_some(TURNS + digits.passes() * (tiles + 1) * DIGITS)
    }

    /// Sorts on a GPU.
    pub(crate) fn sort_in<T: SortKey, V: KernelArg>(
        &self,
        mut keys: BufferSliceMut<'_, T>,
        mut values: BufferSliceMut<'_, V>,
        digits: &Digits,
        parts: &mut BufferParts<'_>,
    ) -> Result<(), Error>
    where
        K: Sort<T, V>,
    {
        let (len, passes) = (keys.len(), digits.passes());
        let (device, Digits { first, end, descending }) = (self.stream.device(), *digits);
        if len < 2 || passes == 0 {
            return Ok(());
        }
        if len <= TILE {
            let config = LaunchConfig::grid(1, BLOCK);
            let arguments = (first, end, descending, keys, values);
            // SAFETY: there are at most a tile's keys, and as many values.
            return unsafe { self.launch::<K::Tile, _, _>(config, arguments) };
        }
        let tiles = len.div_ceil(TILE);
        let config = LaunchConfig::grid(tiles, BLOCK);
        let mut other_keys = parts.take::<T>(len)?;
        let mut other_values = parts.take::<V>(if size_of::<V>() == 0 { 0 } else { len })?;
        let mut temporary = match self.state_words(len, digits) {
            Some(words) => {
                let mut words = parts.take::<u32>(words)?;
                self.stream.fill(&mut words, 0)?;
                let turns = len.div_ceil(count::TILE).div_ceil(MOST_COUNTING);
                let config = LaunchConfig::grid(len.div_ceil(count::TILE * turns), count::BLOCK);
                let kernel = Kernel::<K::Count>::load(device)?;
                let arguments = (first, end, descending, turns, keys.as_slice(), words.reborrow());
                kernel.launch(self.stream, config, arguments)?;
                Counted::ForAll(words)
            }
            None => Counted::ByTile(parts.take::<u64>(tiles * DIGITS)?, parts.take::<u64>(DIGITS)?),
        };
        // The last pass writes the caller's memory.
        let mut is_here = passes % 2 == 0;
        if !is_here {
            self.stream.copy(&keys, &mut other_keys)?;
            if size_of::<V>() > 0 {
                self.stream.copy(&values, &mut other_values)?;
            }
        }
        for pass in 0..passes {
            let digit = digit_of_pass(first, end, descending, pass);
            let (from, to) = if is_here {
                ((keys.as_slice(), values.as_slice()), (other_keys.reborrow(), other_values.reborrow()))
            } else {
                ((other_keys.as_slice(), other_values.as_slice()), (keys.reborrow(), values.reborrow()))
            };
            match &mut temporary {
                Counted::ForAll(words) => {
                    let states = TURNS + (passes + pass * tiles) * DIGITS;
                    let arguments = (digit, pass, states, from.0, from.1, words.reborrow(), to.0, to.1);
                    // SAFETY: all are as long; the counts are of these keys, and each pass has words of its own behind them.
                    unsafe { self.launch::<K::Sweep, _, _>(config, arguments)? };
                }
                Counted::ByTile(counts, totals) => {
                    let arguments = (digit, from.0.clone(), counts.reborrow());
                    // SAFETY: there is a group for each tile.
                    unsafe { self.launch::<K::CountTiles, _, _>(config, arguments)? };
                    scatter::starts::load(device)?.launch(
                        self.stream,
                        LaunchConfig::grid(DIGITS, BLOCK),
                        (counts.reborrow(), totals.reborrow()),
                    )?;
                    let arguments = (digit, from.0, from.1, counts.as_slice(), totals.as_slice(), to.0, to.1);
                    // SAFETY: all are as long; the counts are of these keys and this digit.
                    unsafe { self.launch::<K::Scatter, _, _>(config, arguments)? };
                }
            }
            is_here = !is_here;
        }
        Ok(())
    }
}

/// The bits that a GPU sorts by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    first: u32,
    end: u32,
    descending: u32,
}

impl Digits {
    pub(crate) fn new<T: SortKey>(order: SortOrder) -> Result<Self, Error> {
        let bits = order.range::<T>()?;
        Ok(Self { first: bits.start, end: bits.end, descending: order.is_descending().into() })
    }

    fn passes(&self) -> usize {
        (self.end - self.first).div_ceil(DIGIT_BITS) as usize
    }
}

/// What says where elements go: the counts of all digits, and states; or the counts of each tile, and of all.
enum Counted<'t> {
    ForAll(BufferSliceMut<'t, u32>),
    ByTile(BufferSliceMut<'t, u64>, BufferSliceMut<'t, u64>),
}
