use super::{Partition, PartitionError};

/// The grid of ranks that exchanges the fewest elements; of equals, the one with more parts along earlier axes, whose halos lie in one piece.
/// None if no grid fits.
pub(super) fn best_grid<const AXES: usize>(
    partition: &Partition<AXES>,
    ranks: usize,
) -> Option<[usize; AXES]> {
    let mut best = None;
    for_grids(ranks, &mut [1; AXES], 0, &mut |grid| {
        if fits(partition, grid).is_ok() {
            let cost = halo(partition, grid);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, grid));
            }
        }
    });
    best.map(|(_, grid)| grid)
}

/// Visits all grids of so many ranks, those with more parts along earlier axes first.
fn for_grids<const AXES: usize>(
    ranks: usize,
    grid: &mut [usize; AXES],
    axis: usize,
    visit: &mut impl FnMut([usize; AXES]),
) {
    let is_last = axis + 1 >= AXES;
    for parts in (1..=ranks).rev().filter(|parts| ranks.is_multiple_of(*parts)) {
        if is_last && parts != ranks {
            return;
        }
        if let Some(place) = grid.get_mut(axis) {
            *place = parts;
        }
        if is_last {
            visit(*grid);
        } else {
            for_grids(ranks / parts, grid, axis + 1, visit);
        }
    }
}

/// Elements that a part gets from other ranks, at most.
fn halo<const AXES: usize>(partition: &Partition<AXES>, grid: [usize; AXES]) -> u128 {
    let faces = (0..AXES).map(|axis| {
        // Of two parts without a ring, each has one neighbour.
        let sides = match grid[axis] {
            1 => return 0,
            2 if !partition.is_periodic[axis] => 1,
            _ => 2,
        };
        let others = (0..AXES).filter(|&other| other != axis);
        let face: u128 = others
            .map(|other| partition.extents[other].div_ceil(grid[other]) as u128)
            .fold(1, u128::saturating_mul);
        face.saturating_mul(sides * partition.halo[axis] as u128)
    });
    faces.fold(0, u128::saturating_add)
}

/// Whether parts of a grid have elements, and the halos that neighbours need.
pub(super) fn fits<const AXES: usize>(
    partition: &Partition<AXES>,
    grid: [usize; AXES],
) -> Result<(), PartitionError> {
    let &Partition { extents, halo, is_periodic, .. } = partition;
    let mut elements = Some(1_usize);
    let mut all = Some(1_usize);
    for axis in 0..AXES {
        let (extent, parts, halo) = (extents[axis], grid[axis], halo[axis]);
        let smallest = extent.checked_div(parts).unwrap_or(0);
        if smallest == 0 {
            return Err(PartitionError::TooManyParts { axis, extent, parts });
        }
        if halo > smallest && (parts > 1 || is_periodic[axis]) {
            return Err(PartitionError::Halo { axis, halo, smallest });
        }
        let local = halo.checked_mul(2).and_then(|both| both.checked_add(extent.div_ceil(parts)));
        elements = elements.and_then(|elements| elements.checked_mul(local?));
        all = all.and_then(|all| all.checked_mul(extent));
    }
    // Indices beyond the ends are counted in an `isize`.
    let most = isize::MAX as usize;
    if elements.is_some_and(|elements| elements <= most) && all.is_some_and(|all| all <= most) {
        return Ok(());
    }
    Err(PartitionError::TooLarge { extents: extents.into(), halo: halo.into() })
}

#[cfg(test)]
mod tests {
    use super::best_grid;
    use crate::Partition;

    #[test]
    fn the_grid_has_the_least_halo() {
        let square = Partition::new([100, 100]).halo([1, 1]);
        assert_eq!(best_grid(&square, 1), Some([1, 1]));
        assert_eq!(best_grid(&square, 2), Some([2, 1]));
        assert_eq!(best_grid(&square, 4), Some([2, 2]));
        assert_eq!(best_grid(&square, 6), Some([3, 2]));
        assert_eq!(best_grid(&Partition::new([100, 1000]).halo([1, 1]), 4), Some([1, 4]));
        assert_eq!(best_grid(&Partition::new([64, 64, 64]).halo([1; 3]), 8), Some([2, 2, 2]));
        // Along an axis without a halo nothing is exchanged.
        assert_eq!(best_grid(&Partition::new([100, 100]).halo([1, 0]), 4), Some([1, 4]));
    }

    #[test]
    fn grids_that_do_not_fit_are_left_out() {
        assert_eq!(best_grid(&Partition::new([2, 100]).halo([1, 1]), 4), Some([1, 4]));
        assert_eq!(best_grid(&Partition::new([3, 3]).halo([1, 1]), 9), Some([3, 3]));
        assert_eq!(best_grid(&Partition::new([3, 3]), 16), None);
        assert_eq!(best_grid(&Partition::new([3, 3]).halo([2, 2]), 4), None);
    }
}
