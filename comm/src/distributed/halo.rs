use super::Parts;
use super::axes::padded;

/// A message: a box of a rank's memory, which another rank sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) peer: usize,
    /// Plane, row and column of the box's first element.
    pub(super) starts: [usize; 3],
    /// Its planes, rows and columns.
    pub(super) extents: [usize; 3],
}

impl Piece {
    /// Its number of elements, of memory that is there.
    pub(super) fn len(&self) -> usize {
        self.extents.iter().product()
    }
}

/// What a rank sends in an exchange, and what it receives.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Halo {
    pub(super) sends: Vec<Piece>,
    pub(super) receives: Vec<Piece>,
}

impl Halo {
    /// The halo of a rank's part.
    pub(super) fn new<const AXES: usize>(parts: &Parts<AXES>, rank: usize) -> Self {
        let mut halo = Self::default();
        let Some(part) = parts.part(rank) else { return halo };
        let (widths, own) = (padded(part.halo(), 0), padded(part.extents(), 1));
        // Each message is sent in a direction, and received from the opposite one. Both ranks go through the directions in one order, so
        // that several messages between them meet.
        for direction in directions(parts) {
            let back = direction.map(|along| -along);
            if let Some(peer) = parts.neighbour(rank, direction) {
                let boxed = padded(direction, 0);
                let starts = std::array::from_fn(|axis| match boxed[axis] {
                    1 => own[axis],
                    _ => widths[axis],
                });
                halo.sends.push(Piece { peer, starts, extents: extents(boxed, widths, own) });
            }
            if let Some(peer) = parts.neighbour(rank, back) {
                let boxed = padded(back, 0);
                let starts = std::array::from_fn(|axis| match boxed[axis] {
                    -1 => 0,
                    0 => widths[axis],
                    _ => widths[axis] + own[axis],
                });
                halo.receives.push(Piece { peer, starts, extents: extents(boxed, widths, own) });
            }
        }
        halo
    }
}

/// A box's extents: as wide as the halo along the axes of its direction.
fn extents(direction: [isize; 3], widths: [usize; 3], own: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|axis| if direction[axis] == 0 { own[axis] } else { widths[axis] })
}

/// Directions to neighbours, along axes that have a halo.
fn directions<const AXES: usize>(parts: &Parts<AXES>) -> Vec<[isize; AXES]> {
    let partition = parts.partition();
    let mut all = vec![[0; AXES]];
    for axis in 0..AXES {
        let along: &[isize] = if partition.halo[axis] > 0 { &[-1, 0, 1] } else { &[0] };
        let longer = |direction: [isize; AXES]| {
            along.iter().map(move |&along| {
                let mut direction = direction;
                direction[axis] = along;
                direction
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    let axes = |direction: &[isize; AXES]| direction.iter().filter(|&&along| along != 0).count();
    all.retain(|direction| axes(direction) == 1 || (partition.has_corners && axes(direction) > 1));
    all
}

#[cfg(test)]
mod tests {
    use super::{Halo, Piece};
    use crate::Partition;

    #[test]
    fn a_line_sends_its_ends() {
        let parts = Partition::new([10]).halo([2]).divide(2).unwrap();
        let first = Halo::new(&parts, 0);
        assert_eq!(first.sends, [Piece { peer: 1, starts: [0, 0, 5], extents: [1, 1, 2] }]);
        assert_eq!(first.receives, [Piece { peer: 1, starts: [0, 0, 7], extents: [1, 1, 2] }]);
        let second = Halo::new(&parts, 1);
        assert_eq!(second.sends, [Piece { peer: 0, starts: [0, 0, 2], extents: [1, 1, 2] }]);
        assert_eq!(second.receives, [Piece { peer: 0, starts: [0, 0, 0], extents: [1, 1, 2] }]);
    }

    #[test]
    fn messages_of_two_ranks_meet() {
        for partition in [
            Partition::new([5, 6, 7]).halo([1, 2, 1]),
            Partition::new([5, 6, 7]).halo([1, 2, 1]).periodic([true; 3]),
            Partition::new([5, 6, 7]).halo([1, 0, 2]).periodic([false, true, true]).without_corners(),
        ] {
            for ranks in [1, 2, 4, 8] {
                let parts = partition.divide(ranks).unwrap();
                let halos: Vec<_> = (0..ranks).map(|rank| Halo::new(&parts, rank)).collect();
                for from in 0..ranks {
                    for to in 0..ranks {
                        let of = |pieces: &[Piece], peer| {
                            let ours = pieces.iter().filter(|piece| piece.peer == peer);
                            ours.map(|piece| piece.extents).collect::<Vec<_>>()
                        };
                        let (sent, received) = (of(&halos[from].sends, to), of(&halos[to].receives, from));
                        assert_eq!(sent, received, "{partition:?} of {ranks}: {from} to {to}");
                    }
                }
            }
        }
    }

    #[test]
    fn corners_are_sent_unless_they_are_left_out() {
        let partition = Partition::new([8, 8, 8]).halo([1; 3]).periodic([true; 3]);
        let sends = |partition: Partition<3>| Halo::new(&partition.divide(8).unwrap(), 0).sends.len();
        assert_eq!(sends(partition), 26);
        assert_eq!(sends(partition.without_corners()), 6);
    }
}
