//! What the threads of a warp compute of each other's values, over the values in memory. A warp is 32 neighbours of the
//! group; the last one may have fewer.

use super::cells::Cells;
use super::identity::WARP;
use super::team::{GroupShape, Team};
use super::warps::OfWarp;

/// Each thread gets the value of a lane of its warp; of a lane that isn't there, its own.
#[inline(always)]
pub(crate) fn shuffle<'g, S, T>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
{
    let values = cells.values();
    let mut shuffled = Cells::filled(team, values[0]);
    for (number, to) in shuffled.values_mut().iter_mut().enumerate() {
        let first = number / WARP * WARP;
        let from = lane(number, number % WARP);
        let source = first.saturating_add(from);
        *to = if from < WARP && source < values.len() { values[source] } else { values[number] };
    }
    shuffled
}

/// Each thread gets the value of the lane that it names.
#[inline(always)]
pub(crate) fn shuffle_to<'g, S, T>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    lanes: &Cells<'_, u32>,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
{
    let lanes = lanes.values();
    shuffle(team, cells, |number, _| lanes[number] as usize)
}

/// Each thread gets one value of its whole warp.
#[inline(always)]
pub(crate) fn of_warp<'g, S, T, R>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    value: impl Fn(&[T]) -> R,
) -> Cells<'g, R>
where
    S: GroupShape,
    T: Copy + 'static,
    R: Copy + 'static,
{
    let values = cells.values();
    let mut results = Cells::filled(team, value(&values[..values.len().min(WARP)]));
    for (results, values) in results.values_mut().chunks_mut(WARP).zip(values.chunks(WARP)) {
        results.fill(value(values));
    }
    results
}

/// A bit for each lane whose value is true.
#[inline(always)]
pub(crate) fn ballot<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, u64> {
    of_warp(team, cells, bits)
}

/// The same for one warp, whose team it is.
#[inline(always)]
pub(crate) fn ballot_of<S: GroupShape>(_: &Team<'_, OfWarp<S>>, cells: &Cells<'_, bool>) -> u64 {
    bits(cells.values())
}

#[inline(always)]
fn bits(values: &[bool]) -> u64 {
    values.iter().enumerate().fold(0, |mask, (lane, &value)| mask | u64::from(value) << lane)
}

/// A bit for each lane that has the same value.
#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, u64>) -> Cells<'g, u64> {
    let values = cells.values();
    let mut masks = Cells::filled(team, 0);
    for (masks, values) in masks.values_mut().chunks_mut(WARP).zip(values.chunks(WARP)) {
        for (mask, value) in masks.iter_mut().zip(values) {
            *mask = values
                .iter()
                .enumerate()
                .fold(0, |mask, (lane, other)| mask | u64::from(other == value) << lane);
        }
    }
    masks
}

#[inline(always)]
pub(crate) fn reduce<'g, S, T, F>(team: &Team<'g, S>, cells: &Cells<'_, T>, combine: F) -> Cells<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    of_warp(team, cells, |values| values[1..].iter().fold(values[0], |sum, &value| combine(sum, value)))
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, bool> {
    of_warp(team, cells, |values| values.contains(&true))
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, bool> {
    of_warp(team, cells, |values| !values.contains(&false))
}
