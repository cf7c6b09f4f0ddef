//! Insertion sort, for a few items or for items that are nearly in order.

use super::items::Items;
use super::key::RadixKey;
use super::order::Order;

/// Sorts `len` items, stable, from `from` to `to`, which may be the same place, and says whether it did so within `moves` moves. If not,
/// `to` has all items, and those of one rank in the order that they had.
///
/// # Safety
/// Both have `len` items, which nobody else reads or writes, and are the same or don't overlap.
pub(super) unsafe fn insertion_sort<K: RadixKey, V: Copy>(
    from: Items<K, V>,
    to: Items<K, V>,
    len: usize,
    order: Order<K::Bits>,
    mut moves: usize,
) -> bool {
    let mut highest = None;
    for i in 0..len {
        // SAFETY: `i` and what is below it are below `len`.
        unsafe {
            let (key, value) = (from.key(i), from.value(i));
            let rank = order.rank(key);
            if highest.is_none_or(|highest| highest <= rank) {
                highest = Some(rank);
                to.set(i, key, value);
                continue;
            }
            let mut hole = i;
            while hole > 0 && order.rank(to.key(hole - 1)) > rank {
                to.set(hole, to.key(hole - 1), to.value(hole - 1));
                hole -= 1;
            }
            to.set(hole, key, value);
            match moves.checked_sub(i - hole) {
                Some(left) => moves = left,
                None => {
                    if from.addresses() != to.addresses() {
                        to.from(i + 1).copy(from.from(i + 1), len - i - 1);
                    }
                    return false;
                }
            }
        }
    }
    true
}
