use std::fmt;

use gridwright::memory::VolumePart;
use gridwright::{Buffer, KernelArg, Stream};

use super::halo::{Halo, Piece};
use super::{Axes, Local, Part, Partition, Parts, Shape};
use crate::{Communicator, Error};

/// An array of one, two or three axes that is divided among the ranks of a communicator, each part in its rank's device, with a halo.
///
/// A rank's part is ordinary memory, which kernels take: [`local`](Self::local) and [`local_mut`](Self::local_mut) give a
/// [`Buffer`], a [`MatrixBuffer`](gridwright::MatrixBuffer) or a [`VolumeBuffer`](gridwright::VolumeBuffer). [`exchange`](Self::exchange) fills its halo with
/// the neighbours' elements.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::{Distributed, Partition, World};
///
/// #[gpu_kernel]
/// fn averages(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
///     let i = t.index();
///     if let Some(y) = y.get_mut(t) {
///         if i > 0 && i + 1 < x.len() {
///             *y = (x[i - 1] + x[i + 1]) / 2.0;
///         }
///     }
/// }
///
/// # fn main() -> Result<(), gridwright_comm::Error> {
/// let world = World::from_env()?;
/// let device = world.device()?;
/// let communicator = world.communicator(&device)?;
/// let stream = device.stream()?;
///
/// let line = Partition::new([1000]).halo([1]).periodic([true]);
/// let mut x = Distributed::<f32>::from_fn(&communicator, &stream, line, |[i]| i as f32)?;
/// let mut y = Distributed::<f32>::zeroed(&communicator, &stream, line)?;
/// let averages = averages::load(&device)?;
/// for _ in 0..10 {
///     let threads = LaunchConfig::threads(x.local().len());
///     averages.launch(&stream, threads, (x.local(), y.local_mut()))?;
///     y.exchange(&stream)?;
///     std::mem::swap(&mut x, &mut y);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # From MPI
/// A local array with ghost cells, `MPI_Cart_create` and `MPI_Neighbor_alltoallw`.
pub struct Distributed<T: KernelArg, const AXES: usize = 1>
where
    Axes<AXES>: Shape,
{
    pub(super) communicator: Communicator,
    pub(super) parts: Parts<AXES>,
    pub(super) part: Part<AXES>,
    pub(super) memory: Local<T, AXES>,
    pub(super) halo: Halo,
    /// Packed boxes that go to neighbours, and that come from them.
    pub(super) sends: Buffer<u64>,
    pub(super) receives: Buffer<u64>,
}

impl<T: KernelArg, const AXES: usize> Distributed<T, AXES>
where
    Axes<AXES>: Shape,
{
    /// A new array whose bytes are zero, halos too. All ranks call it, with the same partition.
    ///
    /// # Errors
    /// [`Error::Partition`], [`Error::ForeignStream`], [`gridwright::Error::OutOfMemory`] and others of an allocation.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let grid = Partition::new([64, 64]).halo([1, 1]);
    /// let x = Distributed::<f32, 2>::zeroed(&communicator, &stream, grid)?;
    /// assert_eq!(x.local().cols(), x.part().extents()[1] + 2);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn zeroed(
        communicator: &Communicator,
        stream: &Stream,
        partition: Partition<AXES>,
    ) -> Result<Self, Error> {
        Self::new(communicator, stream, partition, |part| Axes::<AXES>::zeroed(stream, part.sizes()))
    }

    /// A new array whose elements are what a function gives for their indices. All ranks call it, with the same partition and function.
    ///
    /// The halo is filled, too. Beyond an end of the array, where there is no neighbour, indices are negative or not below the extent: what
    /// the function gives there is the border. Along an axis that is periodic they are those of the other end.
    ///
    /// # Errors
    /// Those of [`zeroed`](Self::zeroed).
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// // Zero, but for a border of ones to the left.
    /// let grid = Partition::new([64, 64]).halo([1, 1]);
    /// let border = |[_, col]: [isize; 2]| if col < 0 { 1.0 } else { 0.0 };
    /// let x = Distributed::<f32, 2>::from_fn(&communicator, &stream, grid, border)?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn from_fn(
        communicator: &Communicator,
        stream: &Stream,
        partition: Partition<AXES>,
        mut value: impl FnMut([isize; AXES]) -> T,
    ) -> Result<Self, Error> {
        Self::new(communicator, stream, partition, |part| {
            let (local, len) = (part.local_extents(), part.sizes().iter().product());
            let index = |at: usize| {
                let mut left = at;
                let mut index = [0; AXES];
                for axis in (0..AXES).rev() {
                    // No overflow: an `isize` counts the array's elements with its halo.
                    let global = part.starts()[axis] + left % local[axis];
                    index[axis] = global as isize - part.halo()[axis] as isize;
                    if partition.is_periodic[axis] {
                        index[axis] = index[axis].rem_euclid(partition.extents[axis] as isize);
                    }
                    left /= local[axis];
                }
                index
            };
            let elements: Vec<T> = (0..len).map(|at| value(index(at))).collect();
            Axes::<AXES>::upload(stream, part.sizes(), &elements)
        })
    }

    fn new(
        communicator: &Communicator,
        stream: &Stream,
        partition: Partition<AXES>,
        fill: impl FnOnce(&Part<AXES>) -> Result<Local<T, AXES>, gridwright::Error>,
    ) -> Result<Self, Error> {
        communicator.check_stream(stream)?;
        let rank = communicator.rank();
        let parts = partition.divide(communicator.size())?;
        let no_such_rank =
            || Error::NoSuchRank { rank, call: "Distributed", given: rank, size: communicator.size() };
        let part = parts.part(rank).ok_or_else(no_such_rank)?;
        let halo = Halo::new(&parts, rank);
        let staging = |pieces: &[Piece]| {
            let words =
                pieces.iter().try_fold(0_usize, |words, piece| words.checked_add(words_of::<T>(piece)?));
            // Where a `usize` doesn't count them there is no memory either.
            stream.alloc_zeroed(words.unwrap_or(usize::MAX))
        };
        let (sends, receives) = (staging(&halo.sends)?, staging(&halo.receives)?);
        let (communicator, memory) = (communicator.share(), fill(&part)?);
        Ok(Self { communicator, parts, part, memory, halo, sends, receives })
    }

    /// This rank's part, to read: what a kernel's `&[T]`, `&Matrix<T>` or `&Volume<T>` takes.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let line = Partition::new([8]).halo([1]);
    /// let x = Distributed::<u32>::from_fn(&communicator, &stream, line, |[i]| (i + 1) as u32)?;
    /// let local = stream.download(x.local())?;
    /// assert_eq!(local[0], x.part().starts()[0] as u32);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn local(&self) -> &Local<T, AXES> {
        &self.memory
    }

    /// This rank's part, to write: what `PerThread<[T]>` and others take.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = Distributed::<f32>::zeroed(&communicator, &stream, Partition::new([8]))?;
    /// stream.fill(x.local_mut(), 1.0)?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn local_mut(&mut self) -> &mut Local<T, AXES> {
        &mut self.memory
    }

    /// Where this rank's part is in the array.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let x = Distributed::<f32>::zeroed(&communicator, &stream, Partition::new([8]))?;
    /// assert_eq!(x.part().extents(), [x.local().len()]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn part(&self) -> &Part<AXES> {
        &self.part
    }

    /// The parts of all ranks.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let x = Distributed::<f32>::zeroed(&communicator, &stream, Partition::new([8]))?;
    /// assert_eq!(x.parts().grid(), [world.size()]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn parts(&self) -> &Parts<AXES> {
        &self.parts
    }

    /// Where a box lies in the rank's memory.
    pub(super) fn place(&self, starts: [usize; 3]) -> VolumePart {
        VolumePart { sizes: self.part.sizes(), starts }
    }
}

/// Words of memory for a packed box.
fn words_of<T: KernelArg>(piece: &Piece) -> Option<usize> {
    let bytes = gridwright::memory::BufferParts::bytes_of::<T>(piece.len())?;
    Some(bytes / size_of::<u64>())
}

impl<T: KernelArg, const AXES: usize> fmt::Debug for Distributed<T, AXES>
where
    Axes<AXES>: Shape,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parts, part, .. } = self;
        f.debug_struct("Distributed").field("parts", parts).field("part", part).finish_non_exhaustive()
    }
}
