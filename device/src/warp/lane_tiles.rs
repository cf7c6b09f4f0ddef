use core::fmt;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::{Tile, WarpItems, tile};
use crate::arch::{self, GroupShape, Team, Tiled};
use crate::thread::Brand;
use crate::{InPhase, Items, Private};

/// The tiles of a group or of a warp: runs of `N` neighbouring lanes.
///
/// [`Group::tiled`](crate::Group::tiled) and [`Warp::tiled`](crate::Warp::tiled) make it. At group level or at warp
/// level its collectives give each thread the result of its tile, and [`each_tile`](Self::each_tile) goes one level
/// down. The last tile may have fewer lanes.
///
/// Tiles are the same whatever the size of the device's warps, which `N` divides. A phase's closure can't have them, as
/// it can't have the group. So all lanes of a tile are there for what they do together.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Each row of a matrix with eight columns, divided by its sum.
/// #[gpu_kernel]
/// fn normalise(g: &Group, mut rows: PerThread<[f32]>) {
///     let mine = g.map(rows.each_mut(), |_, x| x.map_or(0.0, |x| *x));
///     let sums = g.tiled::<8>().reduce(&mine, |a, b| a + b);
///     g.each((rows.each_mut(), &sums), |_, (x, sum)| {
///         if let Some(x) = x {
///             *x /= sum;
///         }
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut rows = stream.upload(&[[1.0_f32; 8], [2.0; 8], [3.0; 8]].concat())?;
/// normalise::load(&device)?.launch(&stream, LaunchConfig::threads(24).block(24), (&mut rows,))?;
/// assert_eq!(stream.download(&rows)?, [0.125; 24]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cg::tiled_partition<N>`.
pub struct LaneTiles<'a, 'k, S: GroupShape, const N: usize> {
    of: &'a Team<'k, S>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'a, 'k, S: GroupShape, const N: usize> LaneTiles<'a, 'k, S, N> {
    #[inline(always)]
    pub(super) fn new(of: &'a Team<'k, S>) -> Self {
        Self { of, _brand: PhantomData }
    }

    #[inline(always)]
    pub(super) fn team(&self) -> Team<'k, Tiled<S, N>> {
        self.of.tiled()
    }

    /// Calls `body` for each tile, which runs it on its own, with phases and collectives of the tile.
    ///
    /// It works as [`Group::each_warp`](crate::Group::each_warp), whose items it takes, with tiles instead of warps. A
    /// collective of a tile is one of its lanes only, so that tiles may take different ways.
    ///
    /// # Panics
    /// If workgroup memory has too few elements for the tiles.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// How often Euclid's algorithm divides, at most, for each run of 8 pairs.
    /// #[gpu_kernel]
    /// fn divisions(g: &Group, pairs: &[[u32; 2]], mut most: PerThread<[u32]>) {
    ///     g.tiled::<8>().each_tile(&mut most, |tile, mut most| {
    ///         let mut pair = tile.map((), |t, ()| pairs.get(t.index()).copied().unwrap_or([0, 0]));
    ///         let mut steps = 0;
    ///         while tile.any(&tile.map(&pair, |_, pair| pair[1] != 0)) {
    ///             tile.each(&mut pair, |_, pair| {
    ///                 if pair[1] != 0 {
    ///                     *pair = [pair[1], pair[0] % pair[1]];
    ///                 }
    ///             });
    ///             steps += 1;
    ///         }
    ///         tile.each(most.each_mut(), |_, most| {
    ///             if let Some(most) = most {
    ///                 *most = steps;
    ///             }
    ///         });
    ///     });
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut pairs = [[6, 2]; 16];
    /// # pairs[11] = [34, 21];
    /// # let mut most = stream.alloc_zeroed::<u32>(16)?;
    /// # let arguments = (&stream.upload(&pairs)?, &mut most);
    /// # divisions::load(&device)?.launch(&stream, LaunchConfig::threads(16).block(16), arguments)?;
    /// # assert_eq!(stream.download(&most)?, [1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_tile<D, F>(&self, items: D, body: F)
    where
        D: WarpItems,
        F: for<'w, 'i> Fn(&Tile<'w, S, N>, D::Item<'i>) + InPhase,
    {
        self.of.begin(D::ACCESS);
        tile::each_warp(&self.team(), items, body);
        // A barrier also where they got no memory: they may have read what was captured, and the next phase may write that.
        self.of.end(D::ACCESS);
    }

    /// Each thread gets the values of its tile combined into one, two by two, in an order of the device's choosing.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let sums = g.tiled::<8>().reduce(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::reduce` of a `cg::thread_block_tile<N>`.
    #[inline(always)]
    pub fn reduce<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::warp::reduce(&self.team(), &values.cells, combine) }
    }

    /// Each thread gets its own value combined with those of all lanes of its tile before it. `combine` has to be
    /// associative.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<u32>) {
    /// let sums = g.tiled::<8>().scan_inclusive(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::inclusive_scan` of a `cg::thread_block_tile<N>`.
    #[inline(always)]
    pub fn scan_inclusive<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::warp::scan_inclusive(&self.team(), &values.cells, combine) }
    }

    /// Each thread gets `start` combined with the values of all lanes of its tile before it. `combine` has to be
    /// associative, with `start` as its neutral element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, counts: &Private<u32>) {
    /// let offsets = g.tiled::<8>().scan_exclusive(counts, 0, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::exclusive_scan` of a `cg::thread_block_tile<N>`.
    #[inline(always)]
    pub fn scan_exclusive<T, F>(&self, values: &Private<'_, T>, start: T, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::warp::scan_exclusive(&self.team(), &values.cells, start, combine) }
    }

    /// Each thread gets the value of one lane of its tile, or its own value if the tile has no such lane.
    ///
    /// # Panics
    /// If no tile has such a lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let of_the_first = g.tiled::<8>().broadcast(values, 0);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.shfl(value, lane)`, or `__shfl_sync` with width `N`.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: KernelArg>(&self, values: &Private<'_, T>, lane: usize) -> Private<'k, T> {
        assert!(lane < N, "lane {lane} of tiles of {N}");
        Private { cells: arch::warp::shuffle(&self.team(), &values.cells, |_, _| lane) }
    }

    /// Each thread gets the value of the lane of its tile whose number it has in `lanes`, or its own value if there is
    /// no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>, lanes: &Private<u32>) {
    /// let theirs = g.tiled::<8>().shuffle(values, lanes);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.shfl(value, lane)`, or `__shfl_sync` with width `N`.
    #[inline(always)]
    pub fn shuffle<T: KernelArg>(&self, values: &Private<'_, T>, lanes: &Private<'_, u32>) -> Private<'k, T> {
        Private { cells: arch::warp::shuffle_to(&self.team(), &values.cells, &lanes.cells) }
    }

    /// Each thread gets the value of the lane whose number in the tile is its own with the bits of `mask` flipped, or
    /// its own value if there is no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let of_the_other_in_the_pair = g.tiled::<8>().shuffle_xor(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.shfl_xor(value, mask)`, or `__shfl_xor_sync` with width `N`.
    #[inline(always)]
    pub fn shuffle_xor<T: KernelArg>(&self, values: &Private<'_, T>, mask: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shuffle(&self.team(), &values.cells, |_, lane| lane ^ mask) }
    }

    /// Each thread gets the value of the lane `delta` places before its own. The first `delta` lanes of a tile keep
    /// their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let of_the_one_before = g.tiled::<8>().shuffle_up(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.shfl_up(value, delta)`, or `__shfl_up_sync` with width `N`.
    #[inline(always)]
    pub fn shuffle_up<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shift_up(&self.team(), &values.cells, delta) }
    }

    /// Each thread gets the value of the lane `delta` places behind its own. The last `delta` lanes of a tile keep
    /// their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let of_the_next = g.tiled::<8>().shuffle_down(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.shfl_down(value, delta)`, or `__shfl_down_sync` with width `N`.
    #[inline(always)]
    pub fn shuffle_down<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shift_down(&self.team(), &values.cells, delta) }
    }

    /// Each thread gets whether any value in its tile is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    /// let somebody_found_it = g.tiled::<8>().any(found);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.any(value)`.
    #[inline(always)]
    pub fn any(&self, values: &Private<'_, bool>) -> Private<'k, bool> {
        Private { cells: arch::warp::any(&self.team(), &values.cells) }
    }

    /// Each thread gets whether every value in its tile is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, done: &Private<bool>) {
    /// let all_are_done = g.tiled::<8>().all(done);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.all(value)`.
    #[inline(always)]
    pub fn all(&self, values: &Private<'_, bool>) -> Private<'k, bool> {
        Private { cells: arch::warp::all(&self.team(), &values.cells) }
    }

    /// Each thread gets the number of true values in its tile.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    /// let counts = g.tiled::<8>().count(found);
    /// # }
    /// ```
    #[inline(always)]
    pub fn count(&self, values: &Private<'_, bool>) -> Private<'k, u32> {
        let masks = self.ballot(values);
        Private { cells: (&masks).map(self.of, |_, mask| mask.count_ones()) }
    }

    /// Each thread gets a mask with a bit for each lane of its tile whose value is true. The lowest bit is the tile's first lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    /// let masks = g.tiled::<8>().ballot(found);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.ballot(value)`.
    #[inline(always)]
    pub fn ballot(&self, values: &Private<'_, bool>) -> Private<'k, u64> {
        Private { cells: arch::warp::ballot(&self.team(), &values.cells) }
    }

    /// Each thread gets a mask with a bit for each lane of its tile that has the same value as itself.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, bins: &Private<u64>) {
    /// let with_the_same_bin = g.tiled::<8>().match_any(bins);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `tile.match_any(value)`.
    #[inline(always)]
    pub fn match_any(&self, values: &Private<'_, u64>) -> Private<'k, u64> {
        Private { cells: arch::warp::match_any(&self.team(), &values.cells) }
    }
}

impl<S: GroupShape, const N: usize> fmt::Debug for LaneTiles<'_, '_, S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaneTiles").field("lanes", &N).finish_non_exhaustive()
    }
}
