//! Places of items by their digits, and how often digits are there.

use gridwright::prelude::*;

/// The place of each blocked item among the group's in the order of digits below `DIGITS`, items of one digit in their order: what a stable
/// counting sort puts where. At most 16 digits, as each thread counts all of them in registers.
///
/// # Panics
/// For a digit that isn't below `DIGITS`.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn even_ones_first<'k, S: GroupShape>(g: &Group<'k, S>, items: &Private<'k, [u32; 4]>) -> Private<'k, [u32; 4]> {
///     group::rank::<2, 4, _>(g, &g.map(items, |_, items| items.map(|x| x % 2)))
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockRadixRank`.
#[inline(always)]
pub fn rank<'k, const DIGITS: usize, const N: usize, S: GroupShape>(
    g: &Group<'k, S>,
    digits: &Private<'k, [u32; N]>,
) -> Private<'k, [u32; N]> {
    const { assert!(DIGITS > 0 && DIGITS <= 16, "a thread counts at most 16 digits") };
    let counts = g.map(digits, |_, digits| {
        let mut counts = [0_u32; DIGITS];
        for digit in digits {
            counts[*digit as usize] += 1;
        }
        counts
    });
    let sum = |a: [u32; DIGITS], b: [u32; DIGITS]| core::array::from_fn(|digit| a[digit] + b[digit]);
    let before = g.scan_exclusive(&counts, [0; DIGITS], sum);
    let mut first = g.reduce(&counts, sum);
    let mut of_lower = 0;
    for first in &mut first {
        of_lower += core::mem::replace(first, of_lower);
    }
    g.map((digits, &before), |_, (digits, before)| {
        let mut next: [u32; DIGITS] = core::array::from_fn(|digit| first[digit] + before[digit]);
        digits.map(|digit| {
            let place = next[digit as usize];
            next[digit as usize] += 1;
            place
        })
    })
}

/// Adds to `bins` how often each of the group's items is there. An item beyond the last bin isn't counted.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn count_bytes<'k, S: GroupShape>(g: &Group<'k, S>, x: &[u32], bins: &mut Workgroup<'_, [u32; 256]>) {
///     g.fill(bins, 0);
///     let items = group::load_striped::<4, _, _>(g, x, 4 * g.origin().x, u32::MAX);
///     group::count(g, &items, &mut bins.flat());
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockHistogram`.
#[inline(always)]
pub fn count<'k, const N: usize, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [u32; N]>,
    bins: &mut gridwright::WorkgroupMut<'_, u32>,
) {
    g.each((bins.reborrow().atomic(), items), |t, (bins, items)| {
        for item in items {
            if (*item as usize) < bins.len() {
                bins.fetch_add(t, *item as usize, 1);
            }
        }
    });
}
