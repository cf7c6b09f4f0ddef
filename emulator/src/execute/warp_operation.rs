//! Shuffles, votes and what else lanes of a warp do together.

use std::sync::Arc;

use super::atomic::updated;
use super::state::{ActiveLanes, Core, GroupMemory, Warp as WarpState};
use crate::instruction::{Action, Vote, Warp, WarpKind};
use crate::machine::{Fragment, Lane, WARP, Wait, lanes_of};
use crate::report::FindingKind;

/// What a shuffle gives.
struct Shuffled {
    results: [u32; WARP],
    /// Lanes whose source is within the segment.
    in_range: u32,
    /// A lane, and its source that takes no part.
    strange: Option<(u32, u32)>,
}

impl WarpState {
    /// Waits for the members that aren't here.
    pub(super) fn gather(&mut self, index: usize, core: &mut Core, group: &mut GroupMemory) {
        let frame = self.fragments[index].frame();
        let image = Arc::clone(&core.shared.image);
        let op = &image.functions[frame.function as usize].ops[frame.pc as usize];
        let Action::Warp(warp) = &op.action else { return };
        let Some(slot) = warp.members else {
            // Of those that are here.
            let mask = self.fragments[index].mask;
            let (live, exists) = (self.live, self.exists);
            self.lanes(index, core, group).warp_operation(warp, mask, mask, live, exists);
            self.fragments[index].advance();
            return;
        };
        let (own, members) = self.uniform(index, slot, core, group);
        self.fragments[own].wait = Wait::Members(members);
    }

    /// Lets those go whose members are all there.
    pub(super) fn meet(&mut self, core: &mut Core, group: &mut GroupMemory) {
        let image = Arc::clone(&core.shared.image);
        for index in 0..self.fragments.len() {
            let Wait::Members(members) = self.fragments[index].wait else { continue };
            let operation = |fragment: &Fragment| {
                let frame = fragment.frame();
                match &image.functions[frame.function as usize].ops[frame.pc as usize].action {
                    Action::Warp(warp) => Some(warp),
                    _ => None,
                }
            };
            let Some(warp) = operation(&self.fragments[index]) else { continue };
            let missing = members & self.live;
            if warp.kind == WarpKind::Barrier {
                // Lanes may meet from different places.
                let is_with = |other: &Fragment| {
                    other.wait == Wait::Members(members)
                        && operation(other).is_some_and(|warp| warp.kind == WarpKind::Barrier)
                };
                let here = self
                    .fragments
                    .iter()
                    .filter(|other| is_with(other))
                    .fold(0, |all, other| all | other.mask);
                if missing & !here != 0 {
                    continue;
                }
                let (live, exists) = (self.live, self.exists);
                self.lanes(index, core, group).warp_operation(warp, here, members, live, exists);
                for fragment in self.fragments.iter_mut().filter(|other| is_with(other)) {
                    fragment.advance();
                }
            } else if warp.kind == WarpKind::Matrix {
                // It may fail: it is executed when the lanes go on.
                if missing & !self.fragments[index].mask == 0 {
                    self.fragments[index].wait = Wait::Ready;
                }
            } else if missing & !self.fragments[index].mask == 0 {
                let mask = self.fragments[index].mask;
                let (live, exists) = (self.live, self.exists);
                self.lanes(index, core, group).warp_operation(warp, mask, members, live, exists);
                self.fragments[index].advance();
            }
        }
    }
}

impl ActiveLanes<'_> {
    /// The members, if those of them that live are the active lanes and all active lanes name the same ones.
    pub(super) fn members_present(&self, warp: &Warp, live: u32) -> Option<u32> {
        let Some(slot) = warp.members else { return Some(self.active) };
        let row = self.narrow(slot);
        let members = row[self.active.trailing_zeros() as usize % WARP];
        let agree = slot.as_constant().is_some() || lanes_of(self.active).all(|lane| row[lane] == members);
        (agree && members & live & !self.active == 0).then_some(members)
    }

    pub(super) fn warp_operation(&mut self, warp: &Warp, mask: u32, members: u32, live: u32, exists: u32) {
        if self.alternatives.is_empty() {
            return self.operate(warp, mask, members, live, exists);
        }
        self.trace_warp(warp, mask);
        let is_shuffle = matches!(
            warp.kind,
            WarpKind::ShuffleUp | WarpKind::ShuffleDown | WarpKind::ShuffleXor | WarpKind::ShuffleIndex
        );
        if is_shuffle {
            self.with_each(|lanes, _| {
                let shuffled = lanes.shuffled(warp, mask, exists);
                lanes.write_narrow(warp.d, mask, &shuffled.results);
                lanes.set_optional(warp, mask, shuffled.in_range);
            });
        }
        self.operate(warp, mask, members, live, exists);
        match warp.kind {
            WarpKind::Vote(Vote::Ballot)
            | WarpKind::MatchAny { .. }
            | WarpKind::MatchAll { .. }
            | WarpKind::Reduce(..)
            | WarpKind::Elect
            | WarpKind::ActiveMask => self.agree(warp.d, false, mask),
            _ => {}
        }
        if let Some(predicate) = warp.p {
            self.agree_on(predicate, mask);
        }
    }

    fn operate(&mut self, warp: &Warp, mask: u32, members: u32, live: u32, exists: u32) {
        if self.core.checks.divergence && warp.members.is_some() {
            let strangers = mask & !members;
            if strangers != 0 {
                self.report(FindingKind::NotAMember { members }, strangers.trailing_zeros() as usize);
            }
            // Others wait for those that haven't exited only; of matrices each lane has a part.
            let exited = members & exists & !live;
            if exited != 0 && warp.kind == WarpKind::Matrix {
                self.report(FindingKind::ExitedMembers { members, exited }, mask.trailing_zeros() as usize);
            }
        }
        let same = |lanes: &mut Self, value: u32| lanes.write_narrow(warp.d, mask, &[value; WARP]);
        match warp.kind {
            WarpKind::Matrix => {}
            WarpKind::Barrier => {
                if self.core.checks.workgroup_races || self.core.checks.device_races {
                    self.group.clocks.meet(self.identity.warp, mask);
                }
            }
            WarpKind::ActiveMask => same(self, mask),
            WarpKind::Vote(vote) => {
                let votes = self.predicate(warp.source) & mask;
                let result = match vote {
                    Vote::Ballot => return same(self, votes),
                    Vote::All => votes == mask,
                    Vote::Any => votes != 0,
                    Vote::Uniform => votes == mask || votes == 0,
                };
                self.set_optional(warp, mask, if result { u32::MAX } else { 0 });
            }
            WarpKind::MatchAny { wide } => {
                let row = self.row(warp, wide);
                let equal = |lane: usize| {
                    lanes_of(mask)
                        .filter(|&other| row[other] == row[lane])
                        .fold(0, |equal, other| equal | 1 << other)
                };
                let results = std::array::from_fn(equal);
                self.write_narrow(warp.d, mask, &results);
            }
            WarpKind::MatchAll { wide } => {
                let row = self.row(warp, wide);
                let first = mask.trailing_zeros() as usize % WARP;
                let all = lanes_of(mask).all(|lane| row[lane] == row[first]);
                same(self, if all { mask } else { 0 });
                self.set_optional(warp, mask, if all { u32::MAX } else { 0 });
            }
            WarpKind::Reduce(kind, ty) => {
                let row = *self.narrow(warp.a);
                let values = lanes_of(mask).map(|lane| u64::from(row[lane]));
                let result = values.reduce(|all, value| updated(kind, ty, all, value, 0)).unwrap_or(0);
                same(self, result as u32);
            }
            WarpKind::Elect => {
                let leader = (members & mask).trailing_zeros() % WARP as u32;
                same(self, leader);
                self.set_optional(warp, mask, 1 << leader);
            }
            _ => self.shuffle(warp, mask, exists),
        }
    }

    fn row(&self, warp: &Warp, wide: bool) -> [u64; WARP] {
        if wide { u64::read(self, warp.a) } else { u32::read(self, warp.a).map(u64::from) }
    }

    fn set_optional(&mut self, warp: &Warp, mask: u32, value: u32) {
        if let Some(predicate) = warp.p {
            self.set_predicate(predicate, mask, value);
        }
    }

    fn shuffled(&self, warp: &Warp, mask: u32, exists: u32) -> Shuffled {
        let (a, b, c) = (*self.narrow(warp.a), *self.narrow(warp.b), *self.narrow(warp.c));
        let mut results = a;
        let mut in_range = 0;
        let mut strange = None;
        for lane in 0..WARP as u32 {
            let (amount, clamp) = (b[lane as usize] & 31, c[lane as usize] & 31);
            let segment = c[lane as usize] >> 8 & 31;
            let least = lane & segment;
            let most = least | (clamp & !segment);
            let (source, is_in_range) = match warp.kind {
                WarpKind::ShuffleUp => {
                    let source = lane as i32 - amount as i32;
                    (source as u32 & 31, source >= most as i32)
                }
                WarpKind::ShuffleDown => (lane + amount, lane + amount <= most),
                WarpKind::ShuffleXor => (lane ^ amount, lane ^ amount <= most),
                _ => {
                    let source = least | (amount & !segment);
                    (source, source <= most)
                }
            };
            if !is_in_range || mask >> lane & 1 == 0 {
                continue;
            }
            in_range |= 1 << lane;
            if mask >> source & 1 == 1 {
                results[lane as usize] = a[source as usize];
            } else if exists >> source & 1 == 1 {
                // What it gives is undefined; a lane that never was is left alone, as compilers shuffle whole warps.
                strange = strange.or(Some((lane, source)));
            }
        }
        Shuffled { results, in_range, strange }
    }

    fn shuffle(&mut self, warp: &Warp, mask: u32, exists: u32) {
        let Shuffled { results, in_range, strange } = self.shuffled(warp, mask, exists);
        if let Some((lane, source)) = strange
            && self.core.checks.divergence
        {
            self.report(FindingKind::InactiveSource { lane: source }, lane as usize);
        }
        self.write_narrow(warp.d, mask, &results);
        self.set_optional(warp, mask, in_range);
    }
}
