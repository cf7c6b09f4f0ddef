use std::ops::Range;

use crate::cpu::Workers;
use crate::{KeyBits, SortKey};

/// Sorts keys by a range of bits.
pub(crate) fn sort_keys<K: SortKey>(
    _: &Workers,
    keys: &mut [K],
    _: &mut [K],
    bits: Range<u32>,
    descending: bool,
) {
    keys.sort_by(|a, b| {
        let order = a.to_bits().within(bits.clone()).cmp(&b.to_bits().within(bits.clone()));
        if descending { order.reverse() } else { order }
    });
}

/// Sorts keys and their values by a range of bits.
pub(crate) fn sort_pairs<K: SortKey, V: Copy>(
    _: &Workers,
    (keys, values): (&mut [K], &mut [V]),
    _: (&mut [K], &mut [V]),
    bits: Range<u32>,
    descending: bool,
) {
    let mut pairs: Vec<(K, V)> = keys.iter().copied().zip(values.iter().copied()).collect();
    pairs.sort_by(|(a, _), (b, _)| {
        let order = a.to_bits().within(bits.clone()).cmp(&b.to_bits().within(bits.clone()));
        if descending { order.reverse() } else { order }
    });
    for (i, (key, value)) in pairs.into_iter().enumerate() {
        (keys[i], values[i]) = (key, value);
    }
}
