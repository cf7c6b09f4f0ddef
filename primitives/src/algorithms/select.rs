//! Elements that are chosen, one behind the other.

use gridwright::__private::Instance;
use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use super::scan::{one, same_len};
use crate::cpu::Read;
use crate::input::Ready;
use crate::kernels::look_back::state_len;
use crate::kernels::select::{Choice, First, Flag, Flagged, If, count_tiles};
use crate::kernels::tile::{BLOCK, tile_of};
use crate::kernels::totals::scan_counts;
use crate::source::{Fused, Source, Zip};
use crate::workspace::{Bytes, Temporary};
use crate::{Error, Input, Partition, Primitives, Select, cpu};

impl<'s, K> Primitives<'s, K> {
    /// Writes the elements that a predicate is true of to the front of `out`, in their order, and gives their number. What `out` has no room
    /// for is left out, and counted.
    ///
    /// - Time: *n* elements are read once, and what is chosen is written once. AMD's GPUs read them twice.
    /// - Workspace: on GPUs 8 × (2 *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of elements; none on a CPU.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Lengths`] and [`Error::Endless`] of the input, [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::{If, Select};
    /// use gridwright_primitives::source::Slice;
    ///
    /// operator! { pub struct IsOdd = |x: u32| -> bool { x % 2 == 1 }; }
    ///
    /// struct Mine;
    ///
    /// instance! { impl primitives::Select<Slice<u32>, If<IsOdd>> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, mut odd) = (stream.upload(&[3_u32, 4, 6, 7])?, stream.alloc_zeroed(4)?);
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// assert_eq!(p.select(&x, IsOdd, &mut odd)?, 2);
    /// assert_eq!(stream.download(&odd)?, [3, 7, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSelect::If`, `thrust::copy_if`.
    pub fn select<'b, 'o, I, P>(
        &self,
        input: I,
        predicate: P,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<usize, Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        P: Operator<(<I::Source as Source>::Item,), Output = bool>,
        K: Select<I::Source, If<P>>,
    {
        self.counted(|count| self.select_into(input, predicate, out, count))
    }

    /// As [`select`](Self::select), with the number in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`select`](Self::select).
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::If;
    /// use gridwright_primitives::source::Slice;
    ///
    /// operator! { pub struct IsOdd = |x: u32| -> bool { x % 2 == 1 }; }
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Select<Slice<u32>, If<IsOdd>> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, mut odd) = (stream.upload(&[3_u32, 4, 6, 7])?, stream.alloc_zeroed(4)?);
    /// let mut count = stream.alloc_zeroed(1)?;
    /// primitives::on(&stream).with_kernels::<Mine>().select_into(&x, IsOdd, &mut odd, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn select_into<'b, 'o, 'c, I, P>(
        &self,
        input: I,
        predicate: P,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        P: Operator<(<I::Source as Source>::Item,), Output = bool>,
        K: Select<I::Source, If<P>>,
    {
        let none = self.stream.alloc_unset(0)?;
        let (input, out, count) = (Ready::new(input, &none)?, out.into(), one(count.into())?);
        if self.is_cpu() {
            let len = input.len;
            return self.on_cpu(input, (out, count), move |workers, input, (out, count)| {
                // SAFETY: the input has as many elements.
                let chosen = unsafe { cpu::select(workers, input, len, |x| predicate.call((x,)), out) };
                count[0] = chosen as u64;
            });
        }
        self.choose(input, If { predicate }, out, count)
    }

    /// Writes the elements whose flag isn't zero to the front of `out`, in their order, and gives their number. What `out` has no room for is
    /// left out, and counted.
    ///
    /// Flags are `u8` or `u32`, or what an operator makes a `bool` of. Time, workspace and determinism are those of [`select`](Self::select).
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and [`Error::Lengths`] where there aren't as many flags as elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, flags) = (stream.upload(&[3_u32, 4, 6])?, stream.upload(&[1_u8, 0, 1])?);
    /// let mut out = stream.alloc_zeroed(3)?;
    /// assert_eq!(primitives::on(&stream).select_flagged(&x, &flags, &mut out)?, 2);
    /// assert_eq!(stream.download(&out)?, [3, 6, 0]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSelect::Flagged`, `thrust::copy_if` with a stencil.
    pub fn select_flagged<'b, 'o, I, F, T>(
        &self,
        input: I,
        flags: F,
        out: impl Into<BufferSliceMut<'o, T>>,
    ) -> Result<usize, Error>
    where
        T: KernelArg,
        I: Input<'b, Source: Source<Item = T>>,
        F: Input<'b, Source: Source<Item: Flag>>,
        Zip<I::Source, F::Source>: Fused<Item = (T, <F::Source as Source>::Item)>,
        K: Select<Zip<I::Source, F::Source>, Flagged>,
    {
        self.counted(|count| self.select_flagged_into(input, flags, out, count))
    }

    /// As [`select_flagged`](Self::select_flagged), with the number in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`select_flagged`](Self::select_flagged).
    ///
    /// # Errors
    /// Those of [`select_flagged`](Self::select_flagged), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, flags) = (stream.upload(&[3_u32, 4, 6])?, stream.upload(&[1_u8, 0, 1])?);
    /// let (mut out, mut count) = (stream.alloc_zeroed(3)?, stream.alloc_zeroed(1)?);
    /// primitives::on(&stream).select_flagged_into(&x, &flags, &mut out, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [2]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn select_flagged_into<'b, 'o, 'c, I, F, T>(
        &self,
        input: I,
        flags: F,
        out: impl Into<BufferSliceMut<'o, T>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        T: KernelArg,
        I: Input<'b, Source: Source<Item = T>>,
        F: Input<'b, Source: Source<Item: Flag>>,
        Zip<I::Source, F::Source>: Fused<Item = (T, <F::Source as Source>::Item)>,
        K: Select<Zip<I::Source, F::Source>, Flagged>,
    {
        let none = self.stream.alloc_unset(0)?;
        let (input, out, count) = (Ready::new(input.zip(flags), &none)?, out.into(), one(count.into())?);
        if self.is_cpu() {
            let len = input.len;
            return self.on_cpu(input, (out, count), move |workers, input, (out, count)| {
                // SAFETY: there are as many pairs.
                let chosen = unsafe {
                    cpu::select_flagged(workers, cpu::Firsts(input), Flags(cpu::Seconds(input)), len, out)
                };
                count[0] = chosen as u64;
            });
        }
        self.choose(input, Flagged, out, count)
    }

    /// Writes the first element of each run of neighbours that `equal` says are equal to the front of `out`, and gives the number of runs.
    /// What `out` has no room for is left out, and counted.
    ///
    /// Time, workspace and determinism are those of [`select`](Self::select).
    ///
    /// # Errors
    /// Those of [`select`](Self::select).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Equal;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, mut out) = (stream.upload(&[3_u32, 3, 1, 3])?, stream.alloc_zeroed(4)?);
    /// assert_eq!(primitives::on(&stream).unique(&x, Equal, &mut out)?, 3);
    /// assert_eq!(stream.download(&out)?, [3, 1, 3, 0]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSelect::Unique`, `thrust::unique_copy`.
    pub fn unique<'b, 'o, I, E>(
        &self,
        input: I,
        equal: E,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<usize, Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        E: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        K: Select<I::Source, First<E>>,
    {
        self.counted(|count| self.unique_into(input, equal, out, count))
    }

    /// As [`unique`](Self::unique), with the number in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`unique`](Self::unique).
    ///
    /// # Errors
    /// Those of [`unique`](Self::unique), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Equal;
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3_u32, 3, 1, 3])?;
    /// let (mut out, mut count) = (stream.alloc_zeroed(4)?, stream.alloc_zeroed(1)?);
    /// primitives::on(&stream).unique_into(&x, Equal, &mut out, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [3]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn unique_into<'b, 'o, 'c, I, E>(
        &self,
        input: I,
        equal: E,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        E: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        K: Select<I::Source, First<E>>,
    {
        let none = self.stream.alloc_unset(0)?;
        let (input, out, count) = (Ready::new(input, &none)?, out.into(), one(count.into())?);
        if self.is_cpu() {
            let len = input.len;
            return self.on_cpu(input, (out, count), move |workers, input, (out, count)| {
                // SAFETY: the input has as many elements.
                let chosen = unsafe { cpu::unique(workers, input, len, |a, b| equal.call((*a, *b)), out) };
                count[0] = chosen as u64;
            });
        }
        self.choose(input, First { equal }, out, count)
    }

    /// Writes the elements that a predicate is true of, and behind them the others, both in their order, and gives the number of the first.
    ///
    /// - Time: *n* elements are read twice and written once.
    /// - Workspace: on GPUs 8 × (2 *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of elements, and 8; none on a CPU.
    /// - Deterministic.
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and [`Error::Lengths`] if the output doesn't have the input's length.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::If;
    /// use gridwright_primitives::source::Slice;
    ///
    /// operator! { pub struct IsOdd = |x: u32| -> bool { x % 2 == 1 }; }
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Partition<Slice<u32>, If<IsOdd>> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, mut parts) = (stream.upload(&[3_u32, 4, 6, 7])?, stream.alloc_zeroed(4)?);
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// assert_eq!(p.partition(&x, IsOdd, &mut parts)?, 2);
    /// assert_eq!(stream.download(&parts)?, [3, 7, 4, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `thrust::stable_partition_copy`. `cub::DevicePartition::If` turns the others' order around.
    pub fn partition<'b, 'o, I, P>(
        &self,
        input: I,
        predicate: P,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<usize, Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        P: Operator<(<I::Source as Source>::Item,), Output = bool>,
        K: Partition<I::Source, If<P>>,
    {
        self.counted(|count| self.partition_into(input, predicate, out, count))
    }

    /// As [`partition`](Self::partition), with the number in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`partition`](Self::partition).
    ///
    /// # Errors
    /// Those of [`partition`](Self::partition), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::If;
    /// use gridwright_primitives::source::Slice;
    ///
    /// operator! { pub struct IsOdd = |x: u32| -> bool { x % 2 == 1 }; }
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Partition<Slice<u32>, If<IsOdd>> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, mut parts) = (stream.upload(&[3_u32, 4, 6, 7])?, stream.alloc_zeroed(4)?);
    /// let mut count = stream.alloc_zeroed(1)?;
    /// primitives::on(&stream).with_kernels::<Mine>().partition_into(&x, IsOdd, &mut parts, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn partition_into<'b, 'o, 'c, I, P>(
        &self,
        input: I,
        predicate: P,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        P: Operator<(<I::Source as Source>::Item,), Output = bool>,
        K: Partition<I::Source, If<P>>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        let (out, mut count) = (same_len(out.into(), len)?, one(count.into())?);
        if self.is_cpu() {
            return self.on_cpu(
                Ready { len, source, a, b, c },
                (out, count),
                move |workers, input, (out, count)| {
                    // SAFETY: the input has as many elements.
                    let chosen = unsafe { cpu::partition(workers, input, |x| predicate.call((x,)), out) };
                    count[0] = chosen as u64;
                },
            );
        }
        let tiles = len.div_ceil(tile_of::<<I::Source as Source>::Item>());
        let state_len = state_len::<u64>(tiles);
        let needed = Bytes::default().and::<u64>(state_len).and::<u64>(1);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        let mut parts = temporary.parts();
        let (mut state, mut total) = (parts.take::<u64>(state_len)?, parts.take::<u64>(1)?);
        self.stream.fill(&mut count, 0)?;
        if tiles == 0 {
            return Ok(());
        }
        let (choice, config) = (If { predicate }, LaunchConfig::grid(tiles, BLOCK));
        let input = Ready { len, source, a, b, c };
        if self.looks_back() {
            self.stream.fill(&mut state, 0)?;
            self.stream.fill(&mut total, 0)?;
            let mut none = self.stream.alloc_unset(0)?;
            let Ready { a, b, c, .. } = &input;
            let arguments =
                (source, choice, len, a.clone(), b.clone(), c.clone(), total.reborrow(), &mut none);
            // SAFETY: the input has as many elements.
            unsafe { self.launch::<K::Counts, _, _>(config, arguments)? };
        } else {
            self.count::<_, _, K::Counts>(&input, choice, &mut state, total.reborrow())?;
        }
        let Ready { a, b, c, .. } = input;
        let arguments = (source, choice, len, a, b, c, total.as_slice(), out, count, state);
        // SAFETY: as many elements, which were just counted; the state was made ready for as many tiles as there are groups.
        unsafe { self.launch::<K::Tiles, _, _>(config, arguments) }
    }

    /// Launches the kernels of a choice.
    fn choose<S, C>(
        &self,
        input: Ready<'_, S>,
        choice: C,
        out: BufferSliceMut<'_, C::Kept>,
        mut count: BufferSliceMut<'_, u64>,
    ) -> Result<(), Error>
    where
        S: Fused<Item: Send + Sync>,
        C: Choice<S::Item>,
        K: Select<S, C>,
    {
        let tiles = input.len.div_ceil(tile_of::<S::Item>());
        let Some((mut temporary, state_len)) = self.state::<u64>(tiles)? else { return Ok(()) };
        if tiles == 0 {
            self.stream.fill(&mut count, 0)?;
            return Ok(());
        }
        let mut state = temporary.parts().take(state_len)?;
        if self.looks_back() {
            self.stream.fill(&mut state, 0)?;
        } else {
            let mut none = self.stream.alloc_unset(0)?;
            self.count::<_, _, K::Counts>(&input, choice, &mut state, (&mut none).into())?;
        }
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = input;
        let arguments = (source, choice, len, a, b, c, &none, out, count, state);
        // SAFETY: the input has as many elements; the state was made ready for as many tiles as there are groups.
        unsafe { self.launch::<K::Tiles, _, _>(LaunchConfig::grid(tiles, BLOCK), arguments) }
    }

    /// Counts what is chosen up to each tile, for groups that don't look back, and in all, where `total` has an element.
    fn count<S, C, Q>(
        &self,
        Ready { len, source, a, b, c }: &Ready<'_, S>,
        choice: C,
        state: &mut BufferSliceMut<'_, u64>,
        total: BufferSliceMut<'_, u64>,
    ) -> Result<(), Error>
    where
        S: Fused<Item: Send + Sync>,
        C: Choice<S::Item>,
        Q: Instance<count_tiles<S, C>>,
    {
        let tiles = len.div_ceil(tile_of::<S::Item>());
        let mut none = self.stream.alloc_unset(0)?;
        let arguments = (*source, choice, *len, a.clone(), b.clone(), c.clone(), &mut none, state.reborrow());
        // SAFETY: the input has as many elements.
        unsafe { self.launch::<Q, _, _>(LaunchConfig::grid(tiles, BLOCK), arguments)? };
        // SAFETY: there is one group.
        unsafe {
            self.launch::<scan_counts, _, _>(LaunchConfig::grid(1, BLOCK), (tiles, state.reborrow(), total))
        }
    }

    /// The memory of a look-back over so many tiles with values of type `T`, and its length; none if the call isn't run.
    pub(crate) fn state<T>(&self, tiles: usize) -> Result<Option<(Temporary<'s>, usize)>, Error> {
        let state_len = state_len::<T>(tiles);
        let temporary = self.memory.take(self.stream, Bytes::default().and::<u64>(state_len))?;
        Ok(temporary.map(|temporary| (temporary, state_len)))
    }

    /// The number that a call writes.
    pub(crate) fn counted(
        &self,
        call: impl FnOnce(BufferSliceMut<'_, u64>) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let mut count = self.stream.alloc_unset(1)?;
        call((&mut count).into())?;
        if self.is_measured() { Ok(0) } else { Ok(self.value(&count)? as usize) }
    }
}

/// Whether flags are set.
#[derive(Clone, Copy)]
struct Flags<I>(I);

// SAFETY: as many as there are flags.
unsafe impl<I: Read<Item: Flag>> Read for Flags<I> {
    type Item = bool;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> bool {
        // SAFETY: the caller says that there are more.
        unsafe { self.0.get(i) }.is_set()
    }
}
