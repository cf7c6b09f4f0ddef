use gridwright::memory::VolumePart;
use gridwright::{Buffer, KernelArg, Stream};

use super::axes::padded;
use super::{Axes, Distributed, Shape};
use crate::Error;

impl<T: KernelArg, const AXES: usize> Distributed<T, AXES>
where
    Axes<AXES>: Shape,
{
    /// The whole array on the rank `root`, without halos, and None on others. All ranks call it.
    ///
    /// # Errors
    /// [`Error::NoSuchRank`], those of [`Communicator::send`](crate::Communicator::send) and of a download.
    ///
    /// ```
    /// # use gridwright_comm::{Distributed, Partition, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let line = Partition::new([5]).halo([1]);
    /// let x = Distributed::<u32>::from_fn(&communicator, &stream, line, |[i]| i as u32)?;
    /// if let Some(all) = x.gather(&stream, 0)? {
    ///     assert_eq!(all, [0, 1, 2, 3, 4]);
    /// }
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Gatherv` of subarrays.
    pub fn gather(&self, stream: &Stream, root: usize) -> Result<Option<Vec<T>>, Error> {
        let rank = self.communicator.rank();
        self.communicator.check_rank("gather", root)?;
        let extents = padded(self.part.extents(), 1);
        let mut own = stream.alloc_zeroed::<T>(extents.iter().product())?;
        let place = self.place(padded(self.part.halo(), 0));
        stream.copy_box(extents, &self.memory, place, &mut own, VolumePart::whole(extents))?;
        if rank != root {
            self.communicator.send(stream, &own, root)?;
            return Ok(None);
        }
        let mut whole = stream.alloc_zeroed::<T>(self.parts.extents().iter().product())?;
        self.put(stream, &own, rank, &mut whole)?;
        for other in (0..self.communicator.size()).filter(|&other| other != rank) {
            let len = self.parts.part(other).map_or(0, |part| part.extents().iter().product());
            let mut theirs = stream.alloc_zeroed::<T>(len)?;
            self.communicator.receive(stream, &mut theirs, other)?;
            self.put(stream, &theirs, other, &mut whole)?;
        }
        Ok(Some(stream.download(&whole)?))
    }

    /// Puts a rank's part in its place.
    fn put(
        &self,
        stream: &Stream,
        packed: &Buffer<T>,
        rank: usize,
        whole: &mut Buffer<T>,
    ) -> Result<(), Error> {
        let Some(part) = self.parts.part(rank) else { return Ok(()) };
        let extents = padded(part.extents(), 1);
        let place = VolumePart { sizes: padded(self.parts.extents(), 1), starts: padded(part.starts(), 0) };
        stream.copy_box(extents, packed, VolumePart::whole(extents), whole, place)?;
        Ok(())
    }
}
