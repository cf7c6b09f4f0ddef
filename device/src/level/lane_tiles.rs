use core::fmt;
use core::marker::PhantomData;

use crate::InPhase;
use crate::arch::{GroupContext, GroupShape, Tiled};
use crate::thread::Brand;
use crate::warp::{LaneTile, WarpItems, each_warp};

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
///     let mine = g.map(rows.elements_mut(), |_, x| x.map_or(0.0, |x| *x));
///     let sums = g.tiled::<8>().reduce(&mine, |a, b| a + b);
///     g.each((rows.elements_mut(), &sums), |_, (x, sum)| {
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
    pub(super) of: &'a GroupContext<'k, S>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'a, 'k, S: GroupShape, const N: usize> LaneTiles<'a, 'k, S, N> {
    #[inline(always)]
    pub(crate) fn new(of: &'a GroupContext<'k, S>) -> Self {
        Self { of, _brand: PhantomData }
    }

    #[inline(always)]
    pub(super) fn context(&self) -> GroupContext<'k, Tiled<S, N>> {
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
    ///         tile.each(most.elements_mut(), |_, most| {
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
        F: for<'w, 'i> Fn(&LaneTile<'w, S, N>, D::Item<'i>) + InPhase,
    {
        self.of.begin(D::ACCESS);
        each_warp(&self.context(), items, body);
        // A barrier also where they got no memory: they may have read what was captured, and the next phase may write that.
        self.of.end(D::ACCESS);
    }
}

impl<S: GroupShape, const N: usize> fmt::Debug for LaneTiles<'_, '_, S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaneTiles").field("lanes", &N).finish_non_exhaustive()
    }
}
