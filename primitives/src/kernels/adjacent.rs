//! What an operator makes of each element and the one before it.

use gridwright::prelude::*;

use super::tile::{BLOCK, WORDS, items_of, load, load_before, store, tile_of};
use crate::source::Fused;

/// Writes what the operator makes of each element and the one before it, of `len` elements in all; the first one as it is.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`, and `out` as many. There is a group for each tile of them.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn adjacent_tiles<S, O>(
    g: &Group,
    source: S,
    operator: O,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut out: PerThread<[<S as crate::source::Source>::Item]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let first = g.index() * tile_of::<S::Item>();
    let count = (len - first).min(tile_of::<S::Item>());
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let mut items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    // SAFETY: the tile was just loaded.
    let before = unsafe { load_before(g, &mut memory, source, first, count, (a, b, c)) };
    g.each((&mut items, &before, memory.atomic()), |t, (items, before, _)| {
        let number = t.local().x * items_of::<S::Item>();
        let mut before = *before;
        for item in 0..items_of::<S::Item>() {
            let value = items[item];
            if number + item < count && first + number + item > 0 {
                items[item] = operator.call((value, before));
            }
            before = value;
        }
    });
    // SAFETY: tiles are parts of the output, of which each is one group's; a barrier came after rows were read.
    unsafe { store::<S::Item, _, _>(g, &mut memory, &items, first, count, out.anywhere()) };
}

kernel_trait! {
    /// What [`adjacent_difference`](crate::Primitives::adjacent_difference) launches for a source and an operator.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Subtract;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::AdjacentDifference<Slice<f64>, Subtract> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait AdjacentDifference<S: Fused<Item: KernelArg>, O: Operator<(S::Item, S::Item), Output = S::Item>> {
        /// Writes a tile's differences.
        type Tiles = crate::kernels::adjacent::adjacent_tiles<S, O>;
    }
}
