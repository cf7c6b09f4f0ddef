use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use super::sort::Digits;
use crate::kernels::order::{BLOCK, number};
use crate::workspace::Bytes;
use crate::{Error, Primitives, Sort, SortKey, SortOrder, cpu};

impl<K> Primitives<'_, K> {
    /// The first elements in an [order](SortOrder), sorted, and where they are: as many as there is memory for. Of equal ones, those that come
    /// first are taken. Bits of the order don't count.
    ///
    /// - Time: on a GPU that of a [`sort_pairs`](Self::sort_pairs) of *n*.
    /// - Workspace: on a GPU two times *n* elements and `u32`; on a CPU as many as are asked for.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Lengths`] where there aren't as many places as elements asked for, [`Error::Limit`] where fewer elements are there, or 2³² or more,
    /// [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::{self as primitives, SortOrder};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[2_u32, 9, 4, 9])?;
    /// let (mut greatest, mut places) = (stream.alloc_zeroed(3)?, stream.alloc_zeroed(3)?);
    /// primitives::on(&stream).top_k(&x, SortOrder::descending(), &mut greatest, &mut places)?;
    /// assert_eq!(stream.download(&greatest)?, [9, 9, 4]);
    /// assert_eq!(stream.download(&places)?, [1, 3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceTopK`.
    pub fn top_k<'b, 'e, 'p, T: SortKey>(
        &self,
        x: impl Into<BufferSlice<'b, T>>,
        order: SortOrder,
        elements: impl Into<BufferSliceMut<'e, T>>,
        places: impl Into<BufferSliceMut<'p, u32>>,
    ) -> Result<(), Error>
    where
        K: Sort<T, u32>,
    {
        let (x, mut elements, mut places) = (x.into(), elements.into(), places.into());
        let (len, k) = (x.len(), elements.len());
        if places.len() != k {
            return Err(Error::Lengths { what: "the places", expected: k, given: places.len() });
        }
        if k > len {
            return Err(Error::Limit { what: "elements asked for", given: k, most: len });
        }
        if u32::try_from(len).is_err() {
            return Err(Error::Limit { what: "elements", given: len, most: u32::MAX as usize });
        }
        let digits = Digits::new::<T>(if order.is_descending() {
            SortOrder::descending()
        } else {
            SortOrder::ascending()
        })?;
        let of_all = if self.is_cpu() { k } else { len };
        let own = Bytes::default().and::<T>(of_all).and::<u32>(of_all);
        let needed = if self.is_cpu() { own } else { self.bytes_of_sort::<T, u32>(len, &digits, own) };
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if k == 0 {
            return Ok(());
        }
        let mut parts = temporary.parts();
        let (mut keys, mut numbers) = (parts.take::<T>(of_all)?, parts.take::<u32>(of_all)?);
        if self.is_cpu() {
            let descending = order.is_descending();
            self.stream.on_cpu(
                (x, elements, places, keys, numbers),
                move |workers, (x, keys, places, keys_temp, places_temp)| {
                    let found = cpu::Found { keys, places, keys_temp, places_temp };
                    // SAFETY: a slice has its length.
                    unsafe { cpu::top_k(*workers, x, x.len(), descending, found) };
                },
            )?;
            return Ok(());
        }
        self.stream.copy(&x, &mut keys)?;
        number::load(self.stream.device())?.launch(
            self.stream,
            LaunchConfig::threads(len).block(BLOCK),
            (numbers.reborrow(),),
        )?;
        self.sort_in(keys.reborrow(), numbers.reborrow(), &digits, &mut parts)?;
        self.stream.copy(&keys.as_slice().first(k)?, &mut elements)?;
        self.stream.copy(&numbers.as_slice().first(k)?, &mut places)?;
        Ok(())
    }
}
