//! Barriers of a group.

use std::sync::Arc;

use super::state::{BARRIERS, Core, GroupMemory, Warp};
use crate::instruction::{Action, Barrier, BarrierKind};
use crate::machine::{WARP, Wait, lanes_of};
use crate::module::Image;
use crate::report::FindingKind;

/// Fragments that wait at one barrier: of each, the warp's index and its own.
type Waiting = Vec<(usize, usize)>;

/// Lets threads go whose barrier is complete. True if there were any.
pub(super) fn release(warps: &mut [Warp], core: &mut Core, group: &mut GroupMemory) -> bool {
    let mut numbers = 0_u32;
    for fragment in warps.iter().flat_map(|warp| &warp.fragments) {
        if let Wait::Barrier(number) = fragment.wait {
            numbers |= 1 << (number % BARRIERS as u32);
        }
    }
    let mut any = false;
    for number in lanes_of(numbers) {
        any |= release_one(number, warps, core, group);
    }
    any
}

fn barrier_of(image: &Image, warp: &Warp, index: usize) -> Option<(Barrier, u32)> {
    let frame = warp.fragments[index].frame();
    let op = image.functions[frame.function as usize].ops.get(frame.pc as usize)?;
    match &op.action {
        Action::Barrier(barrier) => Some(((**barrier).clone(), op.line)),
        _ => None,
    }
}

fn release_one(number: usize, warps: &mut [Warp], core: &mut Core, group: &mut GroupMemory) -> bool {
    let image = Arc::clone(&core.shared.image);
    let mut waiting: Waiting = Vec::new();
    let (mut threads, mut exited) = (0_u32, 0_u32);
    let mut warp_threads = 0_u32;
    for (warp_index, warp) in warps.iter().enumerate() {
        let before = threads;
        for (index, fragment) in warp.fragments.iter().enumerate() {
            if matches!(fragment.wait, Wait::Barrier(at) if at as usize % BARRIERS == number) {
                threads += fragment.mask.count_ones();
                waiting.push((warp_index, index));
            }
        }
        exited += (warp.exists & !warp.live).count_ones();
        if threads > before {
            // A count names whole warps: lanes that aren't threads, or have exited, count for theirs.
            warp_threads += threads - before + (!warp.live).count_ones();
        }
    }
    let Some(&(first_warp, first_index)) = waiting.first() else { return false };
    let Some((first, _)) = barrier_of(&image, &warps[first_warp], first_index) else { return false };
    let arrived = group.barriers[number].arrived;
    let complete = match first.threads {
        None => threads + arrived + exited >= core.shape.threads,
        Some(slot) => {
            let mask = warps[first_warp].fragments[first_index].mask;
            let row = *warps[first_warp].lanes(first_index, core, group).narrow(slot);
            warp_threads + arrived >= row[mask.trailing_zeros() as usize % WARP]
        }
    };
    if !complete {
        return false;
    }
    if core.checks.divergence {
        check(&waiting, warps, core, group);
    }
    reduce(&waiting, warps, core, group);
    let mut clocks = std::mem::take(&mut group.barriers[number].clocks);
    let mut members: Vec<usize> = waiting.iter().map(|(warp, _)| *warp).collect();
    members.dedup();
    for &warp in &members {
        group.clocks.arrive(warp, &mut clocks);
    }
    for &warp in &members {
        group.clocks.depart(warp, &clocks);
    }
    group.barriers[number].arrived = 0;
    for (warp, index) in waiting {
        warps[warp].fragments[index].advance();
    }
    true
}

/// Lanes of a warp at different instructions. Threads that have exited aren't waited for: PTX ISA, `exit`.
fn check(waiting: &Waiting, warps: &mut [Warp], core: &mut Core, group: &mut GroupMemory) {
    let image = Arc::clone(&core.shared.image);
    for pair in waiting.windows(2) {
        let [(warp, index), (other_warp, other)] = *pair else { continue };
        if warp != other_warp || warps[warp].fragments[index].is_with(&warps[warp].fragments[other]) {
            continue;
        }
        let (one, two) = (barrier_of(&image, &warps[warp], index), barrier_of(&image, &warps[warp], other));
        if let (Some((one, other_line)), Some((two, _))) = (one, two)
            && (one.aligned || two.aligned)
        {
            let lane = warps[warp].fragments[other].mask.trailing_zeros() as usize;
            warps[warp].lanes(other, core, group).report(FindingKind::DivergentBarrier { other_line }, lane);
        }
    }
}

/// The results of `bar.red`.
fn reduce(waiting: &Waiting, warps: &mut [Warp], core: &mut Core, group: &mut GroupMemory) {
    let image = Arc::clone(&core.shared.image);
    let mut reductions = Vec::new();
    let (mut votes, mut voters) = (0, 0);
    for &(warp, index) in waiting {
        let Some((barrier, _)) = barrier_of(&image, &warps[warp], index) else { continue };
        if barrier.kind == BarrierKind::Sync {
            continue;
        }
        let mask = warps[warp].fragments[index].mask;
        votes += (warps[warp].lanes(index, core, group).predicate(barrier.source) & mask).count_ones();
        voters += mask.count_ones();
        reductions.push((warp, index, mask, barrier));
    }
    for (warp, index, mask, barrier) in reductions {
        let mut lanes = warps[warp].lanes(index, core, group);
        let set = |condition: bool| if condition { u32::MAX } else { 0 };
        match barrier.kind {
            BarrierKind::Count => {
                lanes.write_narrow(barrier.result, mask, &[votes; WARP]);
                lanes.agree(barrier.result, false, mask);
            }
            BarrierKind::All => lanes.set_predicate(barrier.result_predicate, mask, set(votes == voters)),
            BarrierKind::Any => lanes.set_predicate(barrier.result_predicate, mask, set(votes > 0)),
            BarrierKind::Sync | BarrierKind::Arrive => {}
        }
        if matches!(barrier.kind, BarrierKind::All | BarrierKind::Any) {
            lanes.agree_on(barrier.result_predicate, mask);
        }
    }
}
