use gridwright::memory::{BufferSliceMut, VolumePart};
use gridwright::{Buffer, KernelArg, Stream};

use super::halo::Piece;
use super::{Axes, Distributed, Shape};
use crate::Error;

impl<T: KernelArg, const AXES: usize> Distributed<T, AXES>
where
    Axes<AXES>: Shape,
{
    /// Fills the halo with the neighbours' elements, in the stream's order. All ranks call it.
    ///
    /// Halos beyond an end of the array stay as they are: they are its border. In a capture it becomes part of the graph, and each
    /// replay exchanges anew.
    ///
    /// # Errors
    /// Those of [`Communicator::send`](crate::Communicator::send).
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let ring = Partition::new([8]).halo([1]).periodic([true]);
    /// let mut x = Distributed::<u32>::zeroed(&communicator, &stream, ring)?;
    /// stream.fill(&mut x.local_mut().slice_mut(1..)?, 7)?;
    /// x.exchange(&stream)?;
    /// assert_eq!(stream.download(x.local())?[0], 7);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Neighbor_alltoallw`, or loops of `MPI_Isend` and `MPI_Irecv`.
    pub fn exchange(&mut self, stream: &Stream) -> Result<(), Error> {
        self.exchange_during(stream, stream, |_| Ok(()))
    }

    /// Fills the halo while other work runs that doesn't need it, such as a kernel for the inner part.
    ///
    /// Elements for neighbours are copied out, behind what wrote them, and messages travel in the order of `transfers`. `work` submits to `stream`
    /// what may run meanwhile, with the array to read. Then `stream` waits for the messages and writes the halo. On the CPU, and with one stream
    /// for both, messages come first.
    ///
    /// # Errors
    /// Those of [`exchange`](Self::exchange), and what `work` returns. The halo is filled in the latter case too, so that ranks stay together.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// # use gridwright_comm::{Distributed, Partition, World};
    ///
    /// /// Doubles elements from `first` to `end`.
    /// #[gpu_kernel]
    /// fn double(t: Thread, first: usize, end: usize, x: &[f32], mut y: PerThread<[f32]>) {
    ///     let i = t.index();
    ///     if let Some(y) = y.get_mut(t) {
    ///         if first <= i && i < end {
    ///             *y = 2.0 * x[i];
    ///         }
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright_comm::Error> {
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let transfers = device.stream()?;
    /// let double = double::load(&device)?;
    /// let line = Partition::new([1000]).halo([1]);
    /// let mut x = Distributed::<f32>::zeroed(&communicator, &stream, line)?;
    /// let mut y = stream.alloc_zeroed(x.local().len())?;
    /// let threads = LaunchConfig::threads(y.len());
    /// let inner = (1, y.len() - 1);
    /// x.exchange_during(&stream, &transfers, |x| {
    ///     Ok(double.launch(&stream, threads, (inner.0, inner.1, x.local(), &mut y))?)
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From MPI
    /// `MPI_Isend` and `MPI_Irecv` before a kernel, and `MPI_Waitall` behind it.
    pub fn exchange_during<R>(
        &mut self,
        stream: &Stream,
        transfers: &Stream,
        work: impl FnOnce(&Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.pack(transfers)?;
        self.transfer(transfers)?;
        let done = work(self);
        self.unpack(stream)?;
        done
    }

    /// Copies what neighbours get.
    fn pack(&mut self, stream: &Stream) -> Result<(), Error> {
        let packed = packed::<T>(&mut self.sends, &self.halo.sends)?;
        for (piece, mut packed) in self.halo.sends.iter().zip(packed) {
            let place = VolumePart { sizes: self.part.sizes(), starts: piece.starts };
            let whole = VolumePart::whole(piece.extents);
            stream.copy_box(piece.extents, &self.memory, place, &mut packed, whole)?;
        }
        Ok(())
    }

    /// Sends what was copied, and receives.
    fn transfer(&mut self, stream: &Stream) -> Result<(), Error> {
        let sends = packed::<T>(&mut self.sends, &self.halo.sends)?;
        let mut receives = packed::<T>(&mut self.receives, &self.halo.receives)?;
        self.communicator.group(stream, |messages| {
            for (piece, elements) in self.halo.sends.iter().zip(&sends) {
                messages.send(elements, piece.peer)?;
            }
            for (piece, elements) in self.halo.receives.iter().zip(&mut receives) {
                messages.receive(elements, piece.peer)?;
            }
            Ok(())
        })
    }

    /// Copies what came from neighbours.
    fn unpack(&mut self, stream: &Stream) -> Result<(), Error> {
        let packed = packed::<T>(&mut self.receives, &self.halo.receives)?;
        for (piece, packed) in self.halo.receives.iter().zip(packed) {
            let place = VolumePart { sizes: self.part.sizes(), starts: piece.starts };
            let whole = VolumePart::whole(piece.extents);
            stream.copy_box(piece.extents, &packed, whole, &mut self.memory, place)?;
        }
        Ok(())
    }
}

/// Memory of packed boxes, one behind another.
fn packed<'b, T: KernelArg>(
    staging: &'b mut Buffer<u64>,
    pieces: &[Piece],
) -> Result<Vec<BufferSliceMut<'b, T>>, Error> {
    let mut parts = staging.typed_parts();
    let slices = pieces.iter().map(|piece| parts.take(piece.len())).collect::<Result<_, _>>()?;
    Ok(slices)
}
