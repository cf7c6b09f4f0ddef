use thiserror::Error as ThisError;

use super::Parts;
use super::grid::{best_grid, fits};

/// How an array is to be divided among ranks: its extents, and its halo.
///
/// Each rank gets a box. Ranks form a grid, which is chosen so that the least is exchanged, or given. Where an extent isn't a multiple of the
/// grid's, the first parts have one element more along that axis.
///
/// ```
/// use gridwright_comm::Partition;
///
/// // 1000 rows and 600 columns, with a halo of one element; the columns are a ring.
/// let partition = Partition::new([1000, 600]).halo([1, 1]).periodic([false, true]);
/// let parts = partition.divide(4)?;
/// assert_eq!(parts.grid(), [4, 1]);
/// # Ok::<(), gridwright_comm::PartitionError>(())
/// ```
///
/// # From MPI
/// `MPI_Dims_create` and `MPI_Cart_create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition<const AXES: usize> {
    pub(super) extents: [usize; AXES],
    pub(super) halo: [usize; AXES],
    pub(super) is_periodic: [bool; AXES],
    pub(super) grid: Option<[usize; AXES]>,
    pub(super) has_corners: bool,
}

/// Why an array can't be divided so.
///
/// ```
/// use gridwright_comm::{Partition, PartitionError};
///
/// let error = Partition::new([3]).divide(4).unwrap_err();
/// assert!(matches!(error, PartitionError::TooManyParts { axis: 0, extent: 3, parts: 4 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum PartitionError {
    /// A given grid has another number of places than there are ranks.
    #[error("a grid of {grid:?} ranks, and there are {ranks}")]
    Grid {
        /// The grid.
        grid: Vec<usize>,
        /// The number of ranks.
        ranks: usize,
    },
    /// More ranks along an axis than elements.
    #[error("axis {axis} has {extent} elements for {parts} parts: use fewer ranks, or another grid")]
    TooManyParts {
        /// The axis.
        axis: usize,
        /// Its elements.
        extent: usize,
        /// Parts along it.
        parts: usize,
    },
    /// A halo that reaches beyond the neighbour's part.
    #[error("axis {axis} has a halo of {halo} elements, and the smallest part has {smallest}")]
    Halo {
        /// The axis.
        axis: usize,
        /// The halo's width.
        halo: usize,
        /// Elements of the smallest part along the axis.
        smallest: usize,
    },
    /// More elements than a `usize` counts.
    #[error("an array of {extents:?} elements with a halo of {halo:?} is too large")]
    TooLarge {
        /// The array's extents.
        extents: Vec<usize>,
        /// The halo's widths.
        halo: Vec<usize>,
    },
}

impl<const AXES: usize> Partition<AXES> {
    /// Of an array of these extents, without a halo. The last axis is the one along which elements lie one behind another: columns of a
    /// matrix.
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let parts = Partition::new([10]).divide(4)?;
    /// assert_eq!(parts.part(0).map(|part| part.extents()), Some([3]));
    /// assert_eq!(parts.part(3).map(|part| part.extents()), Some([2]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub const fn new(extents: [usize; AXES]) -> Self {
        let (halo, is_periodic) = ([0; AXES], [false; AXES]);
        Self { extents, halo, is_periodic, grid: None, has_corners: true }
    }

    /// Gives each part a halo: elements on both sides of each axis, which are copies of the neighbours' or the border of the array.
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let parts = Partition::new([10]).halo([2]).divide(2)?;
    /// assert_eq!(parts.part(0).map(|part| part.local_extents()), Some([9]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    #[must_use]
    pub const fn halo(self, halo: [usize; AXES]) -> Self {
        Self { halo, ..self }
    }

    /// Makes rings of axes: what is beyond one end is at the other.
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let parts = Partition::new([10]).halo([1]).periodic([true]).divide(2)?;
    /// assert_eq!(parts.neighbour(0, [-1]), Some(1));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    ///
    /// # From MPI
    /// `periods` of `MPI_Cart_create`.
    #[must_use]
    pub const fn periodic(self, is_periodic: [bool; AXES]) -> Self {
        Self { is_periodic, ..self }
    }

    /// Gives the grid of ranks, by ranks along each axis, instead of the one with the least halo.
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let parts = Partition::new([100, 100]).grid([1, 4]).divide(4)?;
    /// assert_eq!(parts.part(1).map(|part| part.starts()), Some([0, 25]));
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    ///
    /// # From MPI
    /// `dims` of `MPI_Cart_create`.
    #[must_use]
    pub const fn grid(self, grid: [usize; AXES]) -> Self {
        Self { grid: Some(grid), ..self }
    }

    /// Leaves the halo's corners and edges as they are: for stencils that reach along one axis at a time. Fewer messages are sent.
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let partition = Partition::new([100, 100]).halo([1, 1]).without_corners();
    /// # let _ = partition;
    /// ```
    #[must_use]
    pub const fn without_corners(self) -> Self {
        Self { has_corners: false, ..self }
    }

    /// Divides the array among ranks.
    ///
    /// # Errors
    /// [`PartitionError`].
    ///
    /// ```
    /// use gridwright_comm::Partition;
    ///
    /// let parts = Partition::new([100, 100]).halo([1, 1]).divide(4)?;
    /// assert_eq!(parts.grid(), [2, 2]);
    /// # Ok::<(), gridwright_comm::PartitionError>(())
    /// ```
    pub fn divide(self, ranks: usize) -> Result<Parts<AXES>, PartitionError> {
        let grid = match self.grid {
            Some(grid) => grid,
            // Where none fits, it is the first axis that says why.
            None => best_grid(&self, ranks).unwrap_or_else(|| first_axis(ranks)),
        };
        let places = grid.iter().try_fold(1_usize, |places, &parts| places.checked_mul(parts));
        if places != Some(ranks) || ranks == 0 {
            return Err(PartitionError::Grid { grid: grid.into(), ranks });
        }
        fits(&self, grid)?;
        Ok(Parts::new(self, grid))
    }
}

fn first_axis<const AXES: usize>(ranks: usize) -> [usize; AXES] {
    let mut grid = [1; AXES];
    if let Some(first) = grid.first_mut() {
        *first = ranks;
    }
    grid
}
