//! Items from one thread of a group to another.

use gridwright::atomic::AtomicElement;
use gridwright::prelude::*;

/// Workgroup memory that items go through.
type Memory<'w, T> = gridwright::WorkgroupMut<'w, T>;

/// Striped items of blocked ones. The memory has a slot for each, and the group is one row of threads.
///
/// # Panics
/// If the memory has fewer slots than there are items.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// #[gpu_kernel(block = 32)]
/// fn numbers(g: &Group, mut all: PerThread<[u32]>, mut memory: Workgroup<[u32; 64]>) {
///     let blocked = g.map((), |t, ()| [2 * t.local().x as u32, 2 * t.local().x as u32 + 1]);
///     let striped = group::blocked_to_striped(g, &blocked, &mut memory.flat());
///     // SAFETY: the one group writes each element once.
///     group::store_striped(g, &striped, unsafe { all.anywhere() }, 0);
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut all = stream.alloc_zeroed(64)?;
/// numbers::load(&device)?.launch(&stream, LaunchConfig::grid(1, 32), (&mut all,))?;
/// assert!(stream.download(&all)?.into_iter().eq(0..64));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cub::BlockExchange::BlockedToStriped`.
#[inline(always)]
pub fn blocked_to_striped<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    memory: &mut Memory<'_, T>,
) -> Private<'k, [T; N]> {
    put(g, items, memory);
    let threads = g.len();
    g.map(memory.reborrow().shared(), |t, all| core::array::from_fn(|item| all[item * threads + t.local().x]))
}

/// Blocked items of striped ones. The memory has a slot for each, and the group is one row of threads.
///
/// # Panics
/// If the memory has fewer slots than there are items.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// /// Of elements that neighbours read side by side, each thread gets neighbours.
/// fn load<'k, S: GroupShape>(g: &Group<'k, S>, x: &[u32], w: &mut Workgroup<'_, [u32; 1024]>) -> Private<'k, [u32; 4]> {
///     let striped = group::load_striped(g, x, 4 * g.origin().x, 0);
///     group::striped_to_blocked(g, &striped, &mut w.flat())
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockExchange::StripedToBlocked`.
#[inline(always)]
pub fn striped_to_blocked<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    memory: &mut Memory<'_, T>,
) -> Private<'k, [T; N]> {
    // Each thread's own lie side by side: an element's owner, and which of the owner's it is, say where.
    put(g, items, memory);
    let threads = g.len();
    g.map(memory.reborrow().shared(), |t, all| {
        core::array::from_fn(|item| {
            let element = N * t.local().x + item;
            all[element % threads * N + element / threads]
        })
    })
}

/// Writes each thread's items side by side.
#[inline(always)]
pub(super) fn put<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    memory: &mut Memory<'_, T>,
) {
    g.each((memory.reborrow().chunks::<N>().elements_mut(), items), |_, (slots, items)| *slots = *items);
}

/// Puts each item, a number, at its place among the group's items, and gives each thread those at its blocked places. Places that nobody has keep
/// what lay in the memory; of a place that two have, one item stays.
///
/// # Panics
/// For a place beyond the memory.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// /// Sorts by two bits.
/// fn by_two_bits<'k, S: GroupShape>(
///     g: &Group<'k, S>,
///     items: &Private<'k, [u32; 4]>,
///     memory: &mut Workgroup<'_, [u32; 1024]>,
/// ) -> Private<'k, [u32; 4]> {
///     let places = group::rank::<4, 4, _>(g, &g.map(items, |_, items| items.map(|x| x % 4)));
///     group::exchange(g, items, &places, &mut memory.flat())
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockExchange::ScatterToBlocked`.
#[inline(always)]
pub fn exchange<'k, const N: usize, T: KernelArg + AtomicElement, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    places: &Private<'k, [u32; N]>,
    memory: &mut Memory<'_, T>,
) -> Private<'k, [T; N]> {
    g.each((memory.reborrow().atomic(), items, places), |t, (memory, items, places)| {
        for (item, place) in items.iter().zip(places) {
            memory.set(t, *place as usize, *item);
        }
    });
    g.map(memory.reborrow().shared(), |t, all| core::array::from_fn(|item| all[N * t.local().x + item]))
}
