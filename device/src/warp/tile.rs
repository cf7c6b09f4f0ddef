use super::WarpItems;
use crate::arch::{GroupContext, GroupShape, OfWarp, Tiled};
use crate::{Group, InPhase, LaneTiles, Warp};

/// A tile of a warp: a run of `N` neighbouring lanes, which [`LaneTiles::each_tile`] hands to its closure.
///
/// At the end of a group it may have fewer lanes. It has all that a [`Warp`] has: phases, collectives, reads and writes
/// of memory. `S` is the shape of the group, or of the warp, of which it is a tile.
///
/// ```
/// use gridwright::warp::LaneTile;
/// use gridwright::prelude::*;
///
/// fn mean<S: GroupShape>(tile: &LaneTile<'_, S, 8>, values: &Private<f32>) -> f32 {
///     tile.reduce(values, |a, b| a + b) / tile.len() as f32
/// }
/// ```
///
/// # From CUDA
/// `cg::thread_block_tile<N>`.
pub type LaneTile<'w, S, const N: usize> = Warp<'w, Tiled<S, N>>;

/// The number of lanes of a tile, as a type: functions that use tiles of `N` lanes have the bound `LaneCount<N>: LaneTileSize`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::warp::{LaneCount, LaneTileSize};
///
/// /// The greatest of each run of `N` values.
/// fn greatest<'k, S: GroupShape, const N: usize>(g: &Group<'k, S>, values: &Private<'_, u32>) -> Private<'k, u32>
/// where
///     LaneCount<N>: LaneTileSize,
/// {
///     g.tiled::<N>().reduce_max(values)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LaneCount<const N: usize>;

/// The numbers of lanes that a tile can have: 1, 2, 4, 8, 16 and 32.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::warp::{LaneCount, LaneTileSize};
///
/// /// The sum of each run of `N` values.
/// fn sums<'k, S: GroupShape, const N: usize>(g: &Group<'k, S>, values: &Private<'_, u32>) -> Private<'k, u32>
/// where
///     LaneCount<N>: LaneTileSize,
/// {
///     g.tiled::<N>().reduce_add(values)
/// }
/// ```
///
/// # Safety
/// The number is a power of two, and no warp of a device is smaller.
#[diagnostic::on_unimplemented(
    message = "warps have no tiles of such a size: `{Self}`",
    label = "not a number of lanes that a tile can have",
    note = "a tile has 1, 2, 4, 8, 16 or 32 lanes: sizes that divide the warps of all devices"
)]
pub unsafe trait LaneTileSize {}

macro_rules! sizes {
    ($($size:literal)*) => {$(
        // SAFETY: it is.
        unsafe impl LaneTileSize for LaneCount<$size> {}
    )*};
}

sizes!(1 2 4 8 16 32);

/// Calls the body for each warp of the context, after which its threads have to wait for each other.
#[inline(always)]
#[track_caller]
pub(crate) fn each_warp<S, D, F>(context: &GroupContext<'_, S>, mut items: D, body: F)
where
    S: GroupShape,
    D: WarpItems,
    F: for<'w, 'i> Fn(&Warp<'w, S>, D::Item<'i>) + InPhase,
{
    let threads = context.threads();
    items.check(threads, threads.div_ceil(context.lanes()));
    context.each_warp(|context| {
        let warp = Warp::new(context);
        // SAFETY: just checked; each warp comes by once.
        let mut part = unsafe { items.part(warp.place()) };
        // SAFETY: once.
        body(&warp, unsafe { D::lend(&mut part) });
    });
}

impl<'k, S: GroupShape> Group<'k, S> {
    /// The group's tiles of `N` neighbouring lanes. `N` is a power of two up to 32.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let of_each_four = g.tiled::<4>().reduce(values, f32::max);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::tiled_partition<N>(block)`.
    #[inline(always)]
    pub fn tiled<const N: usize>(&self) -> LaneTiles<'_, 'k, S, N>
    where
        LaneCount<N>: LaneTileSize,
    {
        LaneTiles::new(&self.context)
    }
}

impl<'w, S: GroupShape> Warp<'w, S> {
    /// The warp's tiles of `N` neighbouring lanes. `N` is a power of two up to 32. A tile has tiles, too.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    /// let of_each_four = w.tiled::<4>().reduce(values, f32::max);
    /// # }
    /// ```
    ///
    /// A tile is no larger than the warp or the tile that it is a part of:
    ///
    /// ```compile_fail,E0080
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn larger(g: &Group) {
    ///     g.tiled::<8>().each_tile((), |tile, ()| {
    ///         tile.tiled::<16>().each_tile((), |_, ()| {});
    ///     });
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// larger::load(&Device::cpu()?)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::tiled_partition<N>` of a warp or of a tile.
    #[inline(always)]
    pub fn tiled<const N: usize>(&self) -> LaneTiles<'_, 'w, OfWarp<S>, N>
    where
        LaneCount<N>: LaneTileSize,
    {
        LaneTiles::new(&self.context)
    }
}
