//! Reductions of runs of equal keys, by one thread.

use crate::cpu::Read;

/// Copies the first key of each run of equal neighbours to the front of `keys`, the reductions of their values to `values`, and gives the
/// number of runs. What there is no room for is left out, and counted.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn reduce_by_key<K: Copy, V: Copy, I: Read<Item = (K, V)>>(
    input: I,
    len: usize,
    same: impl Fn(&K, &K) -> bool,
    op: impl Fn(V, V) -> V,
    keys: &mut [K],
    values: &mut [V],
) -> usize {
    let mut runs = 0;
    let mut run: Option<(K, V)> = None;
    for i in 0..len {
        // SAFETY: below the length.
        let (key, value) = unsafe { input.get(i) };
        let total = match run {
            Some((before, total)) if same(&before, &key) => op(total, value),
            _ => {
                if let Some(to) = keys.get_mut(runs) {
                    *to = key;
                }
                runs += 1;
                value
            }
        };
        run = Some((key, total));
        if let Some(to) = values.get_mut(runs - 1) {
            *to = total;
        }
    }
    runs
}
