use core::fmt;

use gridwright_core::KernelArg;

use super::collective::{Collective, EachThread};
use super::lanes::Lanes;
use crate::arch::{self, GroupShape};
use crate::warp::{Reduction, WarpInteger};
use crate::{InPhase, Private, Values, Warp};

/// Number of a lane that isn't there. A shuffle from it gives a thread its own value.
const NONE: u32 = u32::MAX;

/// The lane of a rank among those in the mask, or [`NONE`].
#[inline(always)]
pub(super) fn lane_of(mask: u64, rank: u32) -> u32 {
    if rank >= mask.count_ones() {
        return NONE;
    }
    let (mut lane, mut rest) = (0, rank);
    for width in [32, 16, 8, 4, 2, 1] {
        let count = (mask >> lane & ((1 << width) - 1)).count_ones();
        if rest >= count {
            rest -= count;
            lane += width;
        }
    }
    lane
}

/// How many lanes in the mask are before this one.
#[inline(always)]
fn rank_of(mask: u64, lane: usize) -> u32 {
    (mask & below(lane)).count_ones()
}

/// A bit for each lane before this one.
#[inline(always)]
fn below(lane: usize) -> u64 {
    (1 << lane) - 1
}

/// The votes of the lanes in the mask, side by side.
#[inline(always)]
pub(super) fn by_rank(votes: u64, mask: u64) -> u64 {
    let (mut packed, mut left, mut rank) = (0, mask, 0);
    while left != 0 {
        packed |= (votes >> left.trailing_zeros() & 1) << rank;
        left &= left - 1;
        rank += 1;
    }
    packed
}

/// The lanes of a warp, parted into groups: lanes with the same label form one group.
///
/// [`Warp::labeled_partition`] and [`Warp::binary_partition`] make it. Its collectives are called at warp level, for
/// all groups at once, and give each thread the result of its group. A thread's *rank* is how many lanes of its group
/// come before it.
///
/// All lanes of the warp call a collective, whatever groups they are in, and phases can't have a partition. So no lane
/// waits for another one that doesn't come.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// How many of each value there are, with one atomic update for all lanes of a warp that have the same.
/// #[gpu_kernel(block = 128)]
/// fn histogram(g: &Group, x: &[u32], bins: Atomic<[u32]>) {
///     g.each_warp((), |w, ()| {
///         // Those beyond the end have a label of their own.
///         let labels = w.map((), |t, ()| x.get(t.index()).map_or(u64::MAX, |&x| x.into()));
///         let groups = w.labeled_partition(&labels);
///         w.each((&labels, &groups.rank(), &groups.len()), |t, (label, rank, len)| {
///             if *rank == 0 && *label != u64::MAX {
///                 bins.fetch_add(t, *label as usize, *len);
///             }
///         });
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x: Vec<u32> = (0..1000).map(|i| i / 3 % 7).collect();
/// let mut bins = stream.alloc_zeroed::<u32>(7)?;
/// histogram::load(&device)?.launch(&stream, LaunchConfig::threads(1000), (&stream.upload(&x)?, &mut bins))?;
/// assert_eq!(stream.download(&bins)?, [144, 144, 144, 144, 142, 141, 141]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cg::labeled_partition` and `cg::binary_partition`, which give each thread a `cg::coalesced_group`.
pub struct LanePartition<'a, 'w, S: GroupShape> {
    warp: &'a Warp<'w, S>,
    /// Masks of the lanes: for each lane a bit for each of its group, itself among them.
    masks: Private<'w, u64>,
}

impl<'a, 'w, S: GroupShape> LanePartition<'a, 'w, S> {
    /// The partition by masks: each lane is in its own, and those that a mask names have the same.
    #[inline(always)]
    pub(super) fn new(warp: &'a Warp<'w, S>, masks: Private<'w, u64>) -> Self {
        Self { warp, masks }
    }

    /// Each thread gets a mask with a bit for each lane of its group. The lowest bit is the warp's first lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn first_lanes<S: GroupShape>(w: &Warp<'_, S>, labels: &Private<u64>) {
    ///     let groups = w.labeled_partition(labels);
    ///     let leaders: Private<u32> = w.map(groups.masks(), |_, mask| mask.trailing_zeros());
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__match_any_sync` of the labels.
    #[inline(always)]
    pub fn masks(&self) -> &Private<'w, u64> {
        &self.masks
    }

    /// The lane before each lane in its group.
    #[inline(always)]
    fn before(&self) -> Private<'w, u32> {
        self.warp.map(&self.masks, |t, mask| {
            let before = mask & below(t.lane());
            if before == 0 { NONE } else { before.ilog2() }
        })
    }
}

/// Collectives of lanes with the same label: each thread gets the result of its group.
impl<'w, S: GroupShape> Collective for LanePartition<'_, 'w, S> {
    type Gives = EachThread<'w>;
    type Private<T: Copy + 'static> = Private<'w, T>;

    #[inline(always)]
    fn threads(&self) -> Private<'w, u32> {
        self.warp.map(&self.masks, |_, mask| mask.count_ones())
    }

    #[inline(always)]
    fn ranks(&self) -> Private<'w, u32> {
        self.warp.map(&self.masks, |t, mask| rank_of(*mask, t.lane()))
    }

    #[inline(always)]
    fn filled<T: Copy + 'static>(&self, value: T) -> Private<'w, T> {
        self.warp.private(value)
    }

    #[inline(always)]
    fn reduced<T, F>(&self, values: &Values<T>, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        let so_far = self.scan_inclusive(values, combine);
        // A mask has its own lane's bit.
        let last = self.warp.map(&self.masks, |_, mask| mask.checked_ilog2().unwrap_or(NONE));
        self.warp.shuffle(&so_far, &last)
    }

    #[inline(always)]
    fn reduced_integers<T: WarpInteger>(&self, values: &Values<T>, reduction: Reduction) -> Private<'w, T> {
        let context = &self.warp.context;
        match arch::warp::reduce_integers_of(context, &self.masks.values, &values.values, reduction) {
            Some(values) => Private { values },
            None => self.reduce(values, |a, b| a.combined(b, reduction)),
        }
    }

    #[inline(always)]
    fn scanned_with_own<T, F>(&self, values: &Values<T>, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        let w = self.warp;
        let mut sums = w.map(values.as_private(), |_, value| *value);
        // Each lane has combined those from itself back to just behind `before`: with every turn twice as many.
        let mut before = self.before();
        while w.any(&w.map(&before, |_, before| *before != NONE)) {
            let theirs = w.shuffle(&sums, &before);
            w.each((&mut sums, &theirs, &before), |_, (sum, theirs, before)| {
                if *before != NONE {
                    *sum = combine(*theirs, *sum);
                }
            });
            before = Private { values: arch::warp::before(&w.context, &before.values) };
        }
        sums
    }

    #[inline(always)]
    fn scanned<T, F>(&self, values: &Values<T>, start: T, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        let so_far = self.scan_inclusive(values, &combine);
        let before = self.before();
        let theirs = self.warp.shuffle(&so_far, &before);
        let start = self.warp.private(start);
        self.warp.map((&start, &theirs, &before), |_, (start, theirs, before)| {
            if *before == NONE { *start } else { combine(*start, *theirs) }
        })
    }

    #[inline(always)]
    fn value_of<T: KernelArg>(&self, values: &Values<T>, rank: usize) -> Private<'w, T> {
        let rank = u32::try_from(rank).unwrap_or(NONE);
        let lanes = self.warp.map(&self.masks, |_, mask| lane_of(*mask, rank));
        self.warp.shuffle(values, &lanes)
    }

    #[inline(always)]
    fn any_is(&self, values: &Values<bool>) -> Private<'w, bool> {
        let votes = self.warp.ballot(values);
        self.warp.map(&self.masks, |_, mask| mask & votes != 0)
    }

    #[inline(always)]
    fn all_are(&self, values: &Values<bool>) -> Private<'w, bool> {
        let votes = self.warp.ballot(values);
        self.warp.map(&self.masks, |_, mask| mask & !votes == 0)
    }

    #[inline(always)]
    fn counted(&self, values: &Values<bool>) -> Private<'w, u32> {
        let votes = self.warp.ballot(values);
        self.warp.map(&self.masks, |_, mask| (mask & votes).count_ones())
    }
}

/// Exchanges between lanes with the same label, which are known by their ranks.
impl<'w, S: GroupShape> Lanes for LanePartition<'_, 'w, S> {
    type Votes = EachThread<'w>;

    #[inline(always)]
    fn of_lanes<T: KernelArg>(&self, values: &Values<T>, ranks: &Values<u32>) -> Private<'w, T> {
        let lanes = self.warp.map((&self.masks, ranks.as_private()), |_, (mask, rank)| lane_of(*mask, *rank));
        self.warp.shuffle(values, &lanes)
    }

    #[inline(always)]
    fn of_lane<T, F>(&self, values: &Values<T>, rank: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(usize) -> usize + InPhase,
    {
        let lanes = self.warp.map(&self.masks, |t, mask| {
            lane_of(*mask, u32::try_from(rank(rank_of(*mask, t.lane()) as usize)).unwrap_or(NONE))
        });
        self.warp.shuffle(values, &lanes)
    }

    #[inline(always)]
    fn votes(&self, values: &Values<bool>) -> Private<'w, u64> {
        let votes = self.warp.ballot(values);
        self.warp.map(&self.masks, |_, mask| by_rank(votes, *mask))
    }

    #[inline(always)]
    fn equals(&self, values: &Values<u64>) -> Private<'w, u64> {
        let equals = self.warp.match_any(values);
        self.warp.map((&self.masks, &equals), |_, (mask, equals)| by_rank(*equals, *mask))
    }

    #[inline(always)]
    fn equal_bits(&self, values: &Values<u32>, bits: u32) -> Private<'w, u64> {
        let equals = self.warp.match_bits(values, bits);
        self.warp.map((&self.masks, &equals), |_, (mask, equals)| by_rank(*equals, *mask))
    }
}

impl<'w, S: GroupShape> Warp<'w, S> {
    /// Parts the warp's lanes into groups: lanes with the same label form one group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, labels: &Private<u64>, values: &Private<u32>) {
    /// let sums = w.labeled_partition(labels).reduce_add(values);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::labeled_partition`.
    #[inline(always)]
    pub fn labeled_partition(&self, labels: &Values<u64>) -> LanePartition<'_, 'w, S> {
        LanePartition::new(self, self.match_any(labels))
    }

    /// Parts the warp's lanes into two groups: lanes whose value is true, and all others.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, is_odd: &Private<bool>, values: &Private<u32>) {
    /// let of_the_odd_or_of_the_even = w.binary_partition(is_odd).reduce_add(values);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::binary_partition`.
    #[inline(always)]
    pub fn binary_partition(&self, values: &Values<bool>) -> LanePartition<'_, 'w, S> {
        self.parted(values, self.ballot(values))
    }

    /// Parts the lanes in two by their values, of which `votes` has a bit each.
    #[inline(always)]
    pub(super) fn parted(&self, values: &Values<bool>, votes: u64) -> LanePartition<'_, 'w, S> {
        let lanes = u64::MAX >> (64 - self.len());
        let masks = self.map(values.as_private(), |_, value| if *value { votes } else { !votes & lanes });
        LanePartition::new(self, masks)
    }
}

impl<S: GroupShape> fmt::Debug for LanePartition<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanePartition").field("warp", self.warp).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lane_of_a_rank_has_that_rank() {
        for mask in [1, u64::MAX, 1 << 63, 0xf0f0_0000_ffff_0001, 0x8000_0001, 0xaaaa_aaaa] {
            for rank in 0..mask.count_ones() {
                let lane = lane_of(mask, rank);
                assert!(mask >> lane & 1 == 1, "{mask:x} {rank}");
                assert_eq!(rank_of(mask, lane as usize), rank, "{mask:x}");
            }
            assert_eq!(lane_of(mask, mask.count_ones()), NONE, "{mask:x}");
            assert_eq!(lane_of(mask, u32::MAX), NONE, "{mask:x}");
        }
        assert_eq!(lane_of(0, 0), NONE);
    }

    #[test]
    fn votes_lie_side_by_side() {
        assert_eq!(by_rank(0b1010_0010, 0b1110_1010), 0b10101);
        assert_eq!(by_rank(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(by_rank(u64::MAX, 0), 0);
    }
}
