use super::Partition;
use super::axes::padded;

/// The parts of a divided array, a box for each rank. Ranks are numbered along the last axis of the grid first.
///
/// ```
/// use gridwright_comm::Partition;
///
/// let parts = Partition::new([10, 10]).grid([2, 2]).divide(4)?;
/// assert_eq!(parts.neighbour(0, [1, 0]), Some(2));
/// assert_eq!(parts.neighbour(0, [0, -1]), None);
/// # Ok::<(), gridwright_comm::PartitionError>(())
/// ```
///
/// # From MPI
/// A communicator of `MPI_Cart_create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<const AXES: usize> {
    partition: Partition<AXES>,
    grid: [usize; AXES],
}

/// A rank's part of an array.
///
/// In the rank's memory, element `index` of the array is at `index - starts + halo`, axis by axis.
///
/// ```
/// use gridwright_comm::Partition;
///
/// let parts = Partition::new([10]).halo([1]).divide(2)?;
/// let part = parts.part(1).expect("there are two");
/// assert_eq!((part.starts(), part.extents(), part.local_extents()), ([5], [5], [7]));
/// # Ok::<(), gridwright_comm::PartitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<const AXES: usize> {
    starts: [usize; AXES],
    extents: [usize; AXES],
    halo: [usize; AXES],
}

impl<const AXES: usize> Part<AXES> {
    /// The array's index of the part's first element.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([7]).divide(2)?;
    /// assert_eq!(parts.part(1).map(|part| part.starts()), Some([4]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub const fn starts(&self) -> [usize; AXES] {
        self.starts
    }

    /// The part's own elements along each axis, without the halo.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([7]).halo([1]).divide(2)?;
    /// assert_eq!(parts.part(1).map(|part| part.extents()), Some([3]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub const fn extents(&self) -> [usize; AXES] {
        self.extents
    }

    /// Elements of the rank's memory along each axis, the halo among them.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([7]).halo([1]).divide(2)?;
    /// assert_eq!(parts.part(1).map(|part| part.local_extents()), Some([5]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub fn local_extents(&self) -> [usize; AXES] {
        // No overflow: `Partition::divide` has seen it.
        std::array::from_fn(|axis| self.extents[axis] + 2 * self.halo[axis])
    }

    /// The halo's width along each axis.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([7]).halo([2]).divide(2)?;
    /// assert_eq!(parts.part(0).map(|part| part.halo()), Some([2]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub const fn halo(&self) -> [usize; AXES] {
        self.halo
    }

    /// The rank's memory in planes, rows and columns.
    pub(super) fn sizes(&self) -> [usize; 3] {
        padded(self.local_extents(), 1)
    }
}

impl<const AXES: usize> Parts<AXES> {
    pub(super) fn new(partition: Partition<AXES>, grid: [usize; AXES]) -> Self {
        Self { partition, grid }
    }

    /// Ranks along each axis.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// assert_eq!(Partition::new([8, 8]).halo([1, 1]).divide(4)?.grid(), [2, 2]);
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Dims_create`.
    pub const fn grid(&self) -> [usize; AXES] {
        self.grid
    }

    /// The whole array's extents.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// assert_eq!(Partition::new([8, 9]).divide(2)?.extents(), [8, 9]);
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub const fn extents(&self) -> [usize; AXES] {
        self.partition.extents
    }

    /// A rank's place in the grid. None if there is no such rank.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([8, 8]).grid([2, 3]).divide(6)?;
    /// assert_eq!((parts.place(4), parts.place(6)), (Some([1, 1]), None));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Cart_coords`.
    pub fn place(&self, rank: usize) -> Option<[usize; AXES]> {
        let mut place = [0; AXES];
        let mut left = rank;
        for axis in (0..AXES).rev() {
            place[axis] = left % self.grid[axis];
            left /= self.grid[axis];
        }
        (left == 0).then_some(place)
    }

    /// A rank's part. None if there is no such rank.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([8]).divide(2)?;
    /// assert!(parts.part(1).is_some() && parts.part(2).is_none());
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub fn part(&self, rank: usize) -> Option<Part<AXES>> {
        let place = self.place(rank)?;
        let Partition { extents, halo, .. } = self.partition;
        let least = |axis: usize| extents[axis] / self.grid[axis];
        let longer = |axis: usize| extents[axis] % self.grid[axis];
        let starts = std::array::from_fn(|axis| place[axis] * least(axis) + place[axis].min(longer(axis)));
        let extents = std::array::from_fn(|axis| least(axis) + usize::from(place[axis] < longer(axis)));
        Some(Part { starts, extents, halo })
    }

    /// The rank that is next to another in a direction: along each axis -1, 0 or 1. None beyond an end, and of no such rank.
    ///
    /// ```
    /// # use gridwright_comm::Partition;
    /// let parts = Partition::new([8, 8]).grid([2, 2]).periodic([true, false]).divide(4)?;
    /// assert_eq!(parts.neighbour(0, [-1, 1]), Some(3));
    /// assert_eq!(parts.neighbour(0, [0, -1]), None);
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Cart_shift`.
    pub fn neighbour(&self, rank: usize, direction: [isize; AXES]) -> Option<usize> {
        let place = self.place(rank)?;
        let mut neighbour = 0;
        for axis in 0..AXES {
            let parts = self.grid[axis];
            let next = place[axis].checked_add_signed(direction[axis]).filter(|&next| next < parts);
            let next = match next {
                Some(next) => next,
                None if self.partition.is_periodic[axis] => {
                    // The place is below the number of parts, which an `isize` counts.
                    (place[axis] as isize).wrapping_add(direction[axis]).rem_euclid(parts as isize) as usize
                }
                None => return None,
            };
            neighbour = neighbour * parts + next;
        }
        Some(neighbour)
    }

    pub(super) fn partition(&self) -> &Partition<AXES> {
        &self.partition
    }
}

#[cfg(test)]
mod tests {
    use crate::{Partition, PartitionError};

    #[test]
    fn parts_cover_the_array_once() {
        for (extents, ranks) in [([7, 5], 6), ([12, 1], 5), ([9, 9], 9), ([1, 17], 4), ([30, 20], 7)] {
            let parts = Partition::new(extents).halo([1, 0]).divide(ranks).unwrap();
            let mut owners = vec![0; extents[0] * extents[1]];
            for rank in 0..ranks {
                let part = parts.part(rank).unwrap();
                let ([row, col], [rows, cols]) = (part.starts(), part.extents());
                for r in row..row + rows {
                    (col..col + cols).for_each(|c| owners[r * extents[1] + c] += 1);
                }
            }
            assert!(owners.iter().all(|&owners| owners == 1), "{extents:?} of {ranks}");
            assert_eq!(parts.part(ranks), None);
        }
    }

    #[test]
    fn neighbours_are_mutual() {
        for is_periodic in [[false, false], [true, false], [true, true]] {
            let parts = Partition::new([9, 8]).periodic(is_periodic).grid([3, 2]).divide(6).unwrap();
            for rank in 0..6 {
                for direction in [[-1, 0], [1, 1], [0, -1], [-1, 1], [0, 0]] {
                    let back = direction.map(|along: isize| -along);
                    match parts.neighbour(rank, direction) {
                        Some(other) => assert_eq!(parts.neighbour(other, back), Some(rank)),
                        None => assert_ne!(is_periodic, [true, true]),
                    }
                }
            }
        }
    }

    #[test]
    fn what_can_not_be_divided_is_refused() {
        let error = |partition: Partition<2>, ranks| partition.divide(ranks).unwrap_err();
        let of = Partition::new([4, 6]);
        assert_eq!(error(of.grid([2, 2]), 3), PartitionError::Grid { grid: vec![2, 2], ranks: 3 });
        assert_eq!(error(of, 0), PartitionError::Grid { grid: vec![0, 1], ranks: 0 });
        assert_eq!(
            error(of.grid([usize::MAX, 2]), 2),
            PartitionError::Grid { grid: vec![usize::MAX, 2], ranks: 2 }
        );
        assert_eq!(error(of.grid([5, 1]), 5), PartitionError::TooManyParts { axis: 0, extent: 4, parts: 5 });
        let narrow = of.grid([1, 4]).halo([0, 2]);
        assert_eq!(error(narrow, 4), PartitionError::Halo { axis: 1, halo: 2, smallest: 1 });
        // A ring of one part is its own neighbour.
        let ring = of.halo([5, 0]).periodic([true, false]);
        assert_eq!(error(ring, 1), PartitionError::Halo { axis: 0, halo: 5, smallest: 4 });
        assert!(of.halo([5, 0]).divide(1).is_ok());
        for partition in [
            Partition::new([usize::MAX, 2]),
            Partition::new([usize::MAX / 2, 1]).halo([usize::MAX / 2, 0]),
            Partition::new([1, 1]).halo([usize::MAX, 0]),
        ] {
            assert!(matches!(error(partition, 1), PartitionError::TooLarge { .. }), "{partition:?}");
        }
    }
}
