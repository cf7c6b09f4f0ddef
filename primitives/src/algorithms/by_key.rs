//! Scans and reductions of runs of elements with equal keys.

use gridwright::__private::Instance;
use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use super::scan::{one, same_len};
use crate::input::{Ready, Taken, constant};
use crate::kernels::by_key::{Run, scan_runs};
use crate::kernels::run_totals::{reduce_tiles_of_runs, scan_totals_of_runs};
use crate::kernels::tile::{BLOCK, tile_of};
use crate::operators::Add;
use crate::source::{Constant, Fused, Index, Source, Zip};
use crate::{Error, Input, Numbers, Primitives, ReduceByKey, ScanByKey, cpu};

impl<'s, K> Primitives<'s, K> {
    /// Writes for each value the combination of the values of its run up to it, in their order. A run is of neighbours whose keys `equal` says
    /// are equal. The operator is associative, and need not be commutative.
    ///
    /// - Time: *n* keys and values are read once, and *n* values written once. AMD's GPUs read twice.
    /// - Workspace: on GPUs 8 × ((*w* + 2) *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of keys with values of *w* words of 4 bytes;
    ///   none on a CPU.
    /// - Deterministic for integers and other exact operators. On NVIDIA's GPUs, floats' rounding depends on which groups are ahead.
    ///
    /// # Errors
    /// [`Error::Lengths`] if keys, values and output differ in length, [`Error::Endless`], [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ScanByKey<Zip<Slice<u32>, Slice<u32>>, u32, u32, Equal, Add> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (keys, values) = (stream.upload(&[7_u32, 7, 7, 8])?, stream.upload(&[1_u32, 2, 3, 4])?);
    /// let mut sums = stream.alloc_zeroed(4)?;
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// p.inclusive_scan_by_key(&keys, &values, Equal, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [1, 3, 6, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceScan::InclusiveScanByKey`, `thrust::inclusive_scan_by_key`.
    pub fn inclusive_scan_by_key<'b, 'o, A, B, Key, V, E, O>(
        &self,
        keys: A,
        values: B,
        equal: E,
        operator: O,
        out: impl Into<BufferSliceMut<'o, V>>,
    ) -> Result<(), Error>
    where
        A: Input<'b, Source: Source<Item = Key>>,
        B: Input<'b, Source: Source<Item = V>>,
        Zip<A::Source, B::Source>: Fused<Item = (Key, V)>,
        Key: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        K: ScanByKey<Zip<A::Source, B::Source>, Key, V, E, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let input = Ready::new(keys.zip(values), &none)?;
        self.scan_by_key::<false, _, _, _, _, _, K::Inclusive>(input, equal, operator, None, out.into())
    }

    /// Writes for each value the combination of `init` and the values of its run before it, in their order. A run is of neighbours whose keys
    /// `equal` says are equal. The operator is associative, and need not be commutative.
    ///
    /// Time, workspace and determinism are those of [`inclusive_scan_by_key`](Self::inclusive_scan_by_key).
    ///
    /// # Errors
    /// Those of [`inclusive_scan_by_key`](Self::inclusive_scan_by_key).
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ScanByKey<Zip<Slice<u32>, Slice<u32>>, u32, u32, Equal, Add> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (keys, values) = (stream.upload(&[7_u32, 7, 7, 8])?, stream.upload(&[1_u32, 2, 3, 4])?);
    /// let mut sums = stream.alloc_zeroed(4)?;
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// p.exclusive_scan_by_key(&keys, &values, Equal, 0, Add, &mut sums)?;
    /// assert_eq!(stream.download(&sums)?, [0, 1, 3, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceScan::ExclusiveScanByKey`, `thrust::exclusive_scan_by_key`.
    pub fn exclusive_scan_by_key<'b, 'o, A, B, Key, V, E, O>(
        &self,
        keys: A,
        values: B,
        equal: E,
        init: V,
        operator: O,
        out: impl Into<BufferSliceMut<'o, V>>,
    ) -> Result<(), Error>
    where
        A: Input<'b, Source: Source<Item = Key>>,
        B: Input<'b, Source: Source<Item = V>>,
        Zip<A::Source, B::Source>: Fused<Item = (Key, V)>,
        Key: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        K: ScanByKey<Zip<A::Source, B::Source>, Key, V, E, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let input = Ready::new(keys.zip(values), &none)?;
        self.scan_by_key::<true, _, _, _, _, _, K::Exclusive>(input, equal, operator, Some(init), out.into())
    }

    fn scan_by_key<const EXCLUSIVE: bool, S, Key, V, E, O, Q>(
        &self,
        Ready { len, source, a, b, c }: Ready<'_, S>,
        equal: E,
        operator: O,
        init: Option<V>,
        out: BufferSliceMut<'_, V>,
    ) -> Result<(), Error>
    where
        S: Fused<Item = (Key, V)>,
        Key: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        K: ScanByKey<S, Key, V, E, O>,
        Q: Instance<scan_runs<S, Key, V, E, O, EXCLUSIVE>>,
    {
        let out = same_len(out, len)?;
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, out, move |workers, input, out| {
                let (keys, values) = (cpu::Firsts(input), cpu::Seconds(input));
                let (same, op) = (|a: &Key, b: &Key| equal.call((*a, *b)), |a, b| operator.call((a, b)));
                // SAFETY: there are as many pairs.
                unsafe { cpu::scan_by_key(workers, values, keys, same, init, out, op) };
            });
        }
        let tiles = len.div_ceil(tile_of::<(Key, V)>());
        let Some((mut temporary, state_len)) = self.state::<Run<V>>(tiles)? else { return Ok(()) };
        if tiles == 0 {
            return Ok(());
        }
        let state = temporary.parts().take(state_len)?;
        self.scan_runs::<EXCLUSIVE, _, _, _, _, _, Q, K::Totals, K::Starts>(
            Ready { len, source, a, b, c },
            equal,
            operator,
            init,
            out,
            state,
        )
    }

    /// Launches the kernels of a scan of runs.
    pub(super) fn scan_runs<const EXCLUSIVE: bool, S, Key, V, E, O, Q, T, U>(
        &self,
        input: Ready<'_, S>,
        equal: E,
        operator: O,
        init: Option<V>,
        out: BufferSliceMut<'_, V>,
        mut state: BufferSliceMut<'_, u64>,
    ) -> Result<(), Error>
    where
        S: Fused<Item = (Key, V)>,
        Key: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        Q: Instance<scan_runs<S, Key, V, E, O, EXCLUSIVE>>,
        T: Instance<reduce_tiles_of_runs<S, Key, V, E, O>>,
        U: Instance<scan_totals_of_runs<V, O>>,
    {
        self.before_runs::<_, _, _, _, _, T, U>(&input, equal, operator, &mut state)?;
        let Ready { len, source, a, b, c } = input;
        let init = init.unwrap_or_else(V::zeroed);
        let config = LaunchConfig::grid(len.div_ceil(tile_of::<(Key, V)>()), BLOCK);
        let arguments = (source, equal, operator, init, len, a, b, c, out, state);
        // SAFETY: input and output have as many elements; the state was made ready for as many tiles as there are groups.
        unsafe { self.launch::<Q, _, _>(config, arguments) }
    }

    /// Makes ready what tiles look back at: nothing yet, or what is before each, where groups don't wait for each other.
    fn before_runs<S, Key, V, E, O, T, U>(
        &self,
        Ready { len, source, a, b, c }: &Ready<'_, S>,
        equal: E,
        operator: O,
        state: &mut BufferSliceMut<'_, u64>,
    ) -> Result<(), Error>
    where
        S: Fused<Item = (Key, V)>,
        Key: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        T: Instance<reduce_tiles_of_runs<S, Key, V, E, O>>,
        U: Instance<scan_totals_of_runs<V, O>>,
    {
        if self.looks_back() {
            return Ok(self.stream.fill(state, 0)?);
        }
        let tiles = len.div_ceil(tile_of::<(Key, V)>());
        let arguments = (*source, equal, operator, *len, a.clone(), b.clone(), c.clone(), state.reborrow());
        // SAFETY: the input has as many elements, and there is a group for each tile.
        unsafe { self.launch::<T, _, _>(LaunchConfig::grid(tiles, BLOCK), arguments)? };
        // SAFETY: there is one group.
        unsafe { self.launch::<U, _, _>(LaunchConfig::grid(1, BLOCK), (operator, tiles, state.reborrow())) }
    }

    /// Writes the first key of each run and the combination of its values, in their order, and gives the number of runs. A run is of neighbours
    /// whose keys `equal` says are equal. The operator is associative, and need not be commutative. What the outputs have no room for is left
    /// out, and counted.
    ///
    /// - Time: *n* keys and values are read once, and those of runs written once. AMD's GPUs read twice.
    /// - Workspace: on GPUs 8 × ((*w* + 2) *t* + 1) bytes, of *t* [tiles](crate::Workspace#tiles) of keys with values of *w* words of 4 bytes;
    ///   none on a CPU.
    /// - Deterministic for integers and other exact operators. On NVIDIA's GPUs, floats' rounding depends on which groups are ahead.
    ///
    /// # Errors
    /// [`Error::Lengths`] if keys and values differ in length, [`Error::Endless`], [`Error::Workspace`], and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ReduceByKey<Zip<Slice<u32>, Slice<u32>>, u32, u32, Equal, Add> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (keys, values) = (stream.upload(&[7_u32, 7, 7, 8])?, stream.upload(&[1_u32, 2, 3, 4])?);
    /// let (mut runs, mut sums) = (stream.alloc_zeroed(4)?, stream.alloc_zeroed(4)?);
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// assert_eq!(p.reduce_by_key(&keys, &values, Equal, Add, &mut runs, &mut sums)?, 2);
    /// assert_eq!(stream.download(&runs)?, [7, 8, 0, 0]);
    /// assert_eq!(stream.download(&sums)?, [6, 4, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceReduce::ReduceByKey`, `thrust::reduce_by_key`.
    #[allow(clippy::too_many_arguments)] // two inputs, two operators, two outputs
    pub fn reduce_by_key<'b, 'o, A, B, Key, V, E, O>(
        &self,
        keys: A,
        values: B,
        equal: E,
        operator: O,
        out_keys: impl Into<BufferSliceMut<'o, Key>>,
        out_values: impl Into<BufferSliceMut<'o, V>>,
    ) -> Result<usize, Error>
    where
        A: Input<'b, Source: Source<Item = Key>>,
        B: Input<'b, Source: Source<Item = V>>,
        Zip<A::Source, B::Source>: Fused<Item = (Key, V)>,
        Key: KernelArg,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        K: ReduceByKey<Zip<A::Source, B::Source>, Key, V, E, O>,
    {
        self.counted(|count| {
            self.reduce_by_key_into(keys, values, equal, operator, out_keys, out_values, count)
        })
    }

    /// As [`reduce_by_key`](Self::reduce_by_key), with the number of runs in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`reduce_by_key`](Self::reduce_by_key).
    ///
    /// # Errors
    /// Those of [`reduce_by_key`](Self::reduce_by_key), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// This crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ReduceByKey<Zip<Slice<u32>, Slice<u32>>, u32, u32, Equal, Add> for Mine; }
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (keys, values) = (stream.upload(&[7_u32, 7, 7, 8])?, stream.upload(&[1_u32, 2, 3, 4])?);
    /// let (mut runs, mut sums) = (stream.alloc_zeroed(4)?, stream.alloc_zeroed(4)?);
    /// let mut count = stream.alloc_zeroed(1)?;
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// p.reduce_by_key_into(&keys, &values, Equal, Add, &mut runs, &mut sums, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[allow(clippy::too_many_arguments)] // two inputs, two operators, three outputs
    pub fn reduce_by_key_into<'b, 'o, 'c, A, B, Key, V, E, O>(
        &self,
        keys: A,
        values: B,
        equal: E,
        operator: O,
        out_keys: impl Into<BufferSliceMut<'o, Key>>,
        out_values: impl Into<BufferSliceMut<'o, V>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        A: Input<'b, Source: Source<Item = Key>>,
        B: Input<'b, Source: Source<Item = V>>,
        Zip<A::Source, B::Source>: Fused<Item = (Key, V)>,
        Key: KernelArg,
        V: KernelArg,
        E: Operator<(Key, Key), Output = bool>,
        O: Operator<(V, V), Output = V>,
        K: ReduceByKey<Zip<A::Source, B::Source>, Key, V, E, O>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(keys.zip(values), &none)?;
        let (out_keys, out_values, mut count) = (out_keys.into(), out_values.into(), one(count.into())?);
        if self.is_cpu() {
            let (input, outputs) = (Ready { len, source, a, b, c }, (out_keys, out_values, count));
            return self.on_cpu(input, outputs, move |_, input, (keys, values, count)| {
                let (same, op) = (|a: &Key, b: &Key| equal.call((*a, *b)), |a, b| operator.call((a, b)));
                // SAFETY: the input has as many elements.
                let runs = unsafe { cpu::reduce_by_key(input, len, same, op, keys, values) };
                count[0] = runs as u64;
            });
        }
        let tiles = len.div_ceil(tile_of::<(Key, V)>());
        let Some((mut temporary, state_len)) = self.state::<Run<V>>(tiles)? else { return Ok(()) };
        if tiles == 0 {
            self.stream.fill(&mut count, 0)?;
            return Ok(());
        }
        let mut state = temporary.parts().take(state_len)?;
        let input = Ready { len, source, a, b, c };
        self.before_runs::<_, _, _, _, _, K::Totals, K::Starts>(&input, equal, operator, &mut state)?;
        let Ready { a, b, c, .. } = input;
        let arguments = (source, equal, operator, len, a, b, c, out_keys, out_values, count, state);
        // SAFETY: the input has as many elements; the state was made ready for as many tiles as there are groups.
        unsafe { self.launch::<K::Tiles, _, _>(LaunchConfig::grid(tiles, BLOCK), arguments) }
    }

    /// Writes the first element of each run of neighbours that `equal` says are equal, and the run's length, and gives the number of runs. What
    /// the outputs have no room for is left out, and counted. Lengths are `u32` or `u64`.
    ///
    /// Time, workspace and determinism are those of [`reduce_by_key`](Self::reduce_by_key), which this is of ones.
    ///
    /// # Errors
    /// Those of [`reduce_by_key`](Self::reduce_by_key).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Equal;
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3_u32, 3, 1, 3])?;
    /// let (mut values, mut lengths) = (stream.alloc_zeroed(4)?, stream.alloc_zeroed::<u32>(4)?);
    /// assert_eq!(primitives::on(&stream).run_lengths(&x, Equal, &mut values, &mut lengths)?, 3);
    /// assert_eq!(stream.download(&lengths)?, [2, 1, 1, 0]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceRunLengthEncode::Encode`.
    pub fn run_lengths<'b, 'o, I, L, E>(
        &self,
        input: I,
        equal: E,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
        lengths: impl Into<BufferSliceMut<'o, L>>,
    ) -> Result<usize, Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        Zip<I::Source, Constant<L>>: Fused<Item = (<I::Source as Source>::Item, L)>,
        L: Index,
        E: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        Add: Operator<(L, L), Output = L>,
        K: ReduceByKey<Zip<I::Source, Constant<L>>, <I::Source as Source>::Item, L, E, Add>,
    {
        self.counted(|count| self.run_lengths_into(input, equal, out, lengths, count))
    }

    /// As [`run_lengths`](Self::run_lengths), with the number of runs in memory of one element, without waiting for it.
    ///
    /// Time, workspace and determinism are those of [`run_lengths`](Self::run_lengths).
    ///
    /// # Errors
    /// Those of [`run_lengths`](Self::run_lengths), and [`Error::Lengths`] where `count` isn't one element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Equal;
    /// # let stream = Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3_u32, 3, 1, 3])?;
    /// let (mut values, mut lengths) = (stream.alloc_zeroed(4)?, stream.alloc_zeroed::<u32>(4)?);
    /// let mut count = stream.alloc_zeroed(1)?;
    /// primitives::on(&stream).run_lengths_into(&x, Equal, &mut values, &mut lengths, &mut count)?;
    /// assert_eq!(stream.download(&count)?, [3]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn run_lengths_into<'b, 'o, 'c, I, L, E>(
        &self,
        input: I,
        equal: E,
        out: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
        lengths: impl Into<BufferSliceMut<'o, L>>,
        count: impl Into<BufferSliceMut<'c, u64>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        Zip<I::Source, Constant<L>>: Fused<Item = (<I::Source as Source>::Item, L)>,
        L: Index,
        E: Operator<(<I::Source as Source>::Item, <I::Source as Source>::Item), Output = bool>,
        Add: Operator<(L, L), Output = L>,
        K: ReduceByKey<Zip<I::Source, Constant<L>>, <I::Source as Source>::Item, L, E, Add>,
    {
        let len = input.len()?.ok_or(Error::Endless)?;
        if !self.is_cpu() {
            let ones: Taken<Numbers<Constant<L>>> = constant(L::from_index(1)).take(len);
            return self.reduce_by_key_into(input, ones, equal, Add, out, lengths, count);
        }
        let none = self.stream.alloc_unset(0)?;
        let (input, count) = (Ready::new(input, &none)?, one(count.into())?);
        let outputs = (out.into(), lengths.into(), count);
        self.on_cpu(input, outputs, move |workers, input, (values, lengths, count)| {
            // SAFETY: the input has as many elements.
            let runs = unsafe {
                cpu::run_lengths(workers, input, len, |a, b| equal.call((*a, *b)), values, lengths)
            };
            count[0] = runs as u64;
        })
    }
}
