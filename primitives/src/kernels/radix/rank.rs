//! The place of each element among those of a tile, in the order of their digits.

use gridwright::prelude::*;

use super::{BLOCK, DIGIT_BITS, DIGITS, ITEMS, ROOM};

/// Warps of a group at most: each counts on its own.
pub(super) const WARPS: usize = BLOCK / 32;

/// What a group knows of its tile.
pub(super) struct Ranks<'k> {
    /// Of each digit's thread: how many elements have the digit.
    pub(super) totals: Private<'k, u32>,
    /// Of each digit's thread: how many elements have a lower one.
    pub(super) before: Private<'k, u32>,
}

/// Ones of a mask of lanes.
#[inline(always)]
fn ones(lanes: u64, wide: bool) -> u32 {
    if wide { lanes.count_ones() } else { (lanes as u32).count_ones() }
}

/// Makes of each element's digit its place in the tile, of the first `items` of each thread. The digit's count goes to `counted` before the
/// places are found.
#[inline(always)]
pub(super) fn rank<'k, S: GroupShape>(
    g: &Group<'k, S>,
    digits: &mut Private<'k, [u32; ITEMS]>,
    items: usize,
    room: &mut Workgroup<'_, [u32; ROOM]>,
    counted: impl FnOnce(&Private<'k, u32>),
) -> Ranks<'k> {
    let lanes = g.warp_size();
    let wide = lanes > 32;
    g.each(room.atomic(), |t, counts| {
        for turn in 0..WARPS * DIGITS / BLOCK {
            counts.set(t, turn * BLOCK + t.local().x, 0);
        }
    });
    g.each_warp((room.atomic(), &mut *digits), |w, (counts, mut digits)| {
        let warp = w.index() % 16 * DIGITS;
        for item in 0..ITEMS {
            if item < items {
                let digit = w.map(&digits, |_, digits| digits[item]);
                let peers = w.match_bits(&digit, DIGIT_BITS);
                let so_far =
                    w.map(&peers, |t, peers| ones(peers & (u64::MAX >> (63 - t.lane() as u32)), wide));
                let last = w.map(&peers, |_, peers| {
                    // SAFETY: a lane is its own peer. So no lane is beyond the warp, which isn't looked at then.
                    unsafe { core::hint::assert_unchecked(*peers as u32 != 0 || wide) };
                    if wide { 63 - peers.leading_zeros() } else { 31 - (*peers as u32).leading_zeros() }
                });
                let before = w.map((counts, &digit, &last, &so_far), |t, (counts, digit, last, so_far)| {
                    if *last == t.lane() as u32 {
                        counts.fetch_add(t, warp + (*digit as usize % DIGITS), *so_far)
                    } else {
                        0
                    }
                });
                let before = w.shuffle(&before, &last);
                w.each((&mut digits, &before, &so_far), |_, (digits, before, so_far)| {
                    digits[item] = digits[item] << 16 | (before + so_far - 1);
                });
            }
        }
    });
    let mut of_warps = g.private([0_u32; WARPS]);
    g.each((room.shared(), &mut of_warps), |t, (counts, of_warps)| {
        let digit = t.local().x;
        if digit < DIGITS {
            for (warp, count) in of_warps.iter_mut().enumerate() {
                *count = counts[warp * DIGITS + digit];
            }
        }
    });
    let totals = g.map(&of_warps, |_, counts| counts.iter().sum::<u32>());
    counted(&totals);
    let before = g.scan_exclusive(&totals, 0, u32::wrapping_add);
    g.each((room.atomic(), &of_warps, &before), |t, (counts, of_warps, before)| {
        let digit = t.local().x;
        if digit < DIGITS {
            let mut sum = *before;
            for (warp, count) in of_warps.iter().enumerate() {
                counts.set(t, warp * DIGITS + digit, sum);
                sum += count;
            }
        }
    });
    g.each((room.shared(), &mut *digits), |t, (starts, digits)| {
        let warp = t.local().x / lanes % 16 * DIGITS;
        for digit in digits.iter_mut() {
            *digit = (*digit & 0xffff) + starts[warp + (*digit >> 16) as usize % DIGITS];
        }
    });
    Ranks { totals, before }
}
