use core::fmt;

use crate::arch::{self, WarpPrivateValues};

/// One value for each warp of a group, that lives across phases: accumulators of matrix units, a count, a place to go on.
///
/// [`Group::warp_private`](crate::Group::warp_private) makes it; [`Group::each_warp`](crate::Group::each_warp) hands each
/// warp its own, as `&mut values`. At group level nothing shows the values, since they aren't the same for all.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// How many elements of its parts of `x` each warp found to be zero.
/// #[gpu_kernel(block = 64)]
/// fn zeros(g: &Group, x: &[u32], mut counts: PerGroup<[[u32; 2]]>, mut all: Workgroup<[u32; 2]>) {
///     let mut count = g.warp_private(0);
///     for first in (0..x.len()).step_by(g.len()) {
///         let zero = g.map((), |t, ()| x.get(first + t.local().x) == Some(&0));
///         g.each_warp((&mut count, &zero), |w, (count, zero)| *count += w.count(zero) as u32);
///     }
///     g.each_warp((&mut count, all.warp_chunks_mut(1)), |w, (count, mut slot)| w.set(&mut slot, 0, *count));
///     g.each((counts.elements_mut().take(2), all.elements().take(2)), |_, (to, from)| *to = *from);
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload(&[0; 200])?;
/// let mut counts = stream.alloc_zeroed::<[u32; 2]>(1)?;
/// zeros::load(&device)?.launch(&stream, LaunchConfig::grid(1, 64), (&x, &mut counts))?;
/// assert_eq!(stream.download(&counts)?, [[104, 96]]);
/// # Ok(())
/// # }
/// ```
pub struct WarpPrivate<'g, T: Copy + 'static> {
    pub(crate) values: WarpPrivateValues<'g, T>,
}

impl<T: Copy + 'static> fmt::Debug for WarpPrivate<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarpPrivate").finish_non_exhaustive()
    }
}

/// Values of warps are handed to warps: tiles of one would change the value that is to be the same for all its threads.
///
/// # Panics
/// If the parts of so many threads aren't warps.
#[inline(always)]
#[track_caller]
pub(crate) fn only_warps(threads: usize, parts: usize) {
    if parts != threads.div_ceil(arch::warp_size()) {
        not_warps(parts);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_warps(parts: usize) -> ! {
    panic!("values of warps were handed to {parts} tiles")
}
