//! Answers to what instructions ask of the machine.

use std::array;

use super::state::ActiveLanes;
use crate::instruction::{Question, Special};

impl ActiveLanes<'_> {
    /// Answers a question.
    pub(super) fn answer(&mut self, question: Question, mask: u32) {
        match question {
            Question::Special { register, result, bits: 64 } => {
                let row = self.special(register);
                self.write_wide(result, mask, &row);
            }
            Question::Special { register, result, bits } => {
                let limit = if bits == 16 { 0xffff } else { u32::MAX };
                let row = self.special(register).map(|value| value as u32 & limit);
                self.write_narrow(result, mask, &row);
            }
            Question::IsClustered { result } => {
                let value = if self.core.shape.groups_of_cluster() > 1 { u32::MAX } else { 0 };
                self.set_predicate(result, mask, value);
            }
            Question::IsConstant { address, result } => {
                self.core.refresh();
                let is_constant =
                    |a: u64| self.core.table.find(a).is_some_and(|region| region.backing.read_only);
                let rows = self.wide(address).iter().enumerate();
                let bits = rows.fold(0, |bits, (lane, a)| bits | u32::from(is_constant(*a)) << lane);
                self.set_predicate(result, mask, bits);
            }
        }
    }

    /// The values of a special register.
    fn special(&self, special: Special) -> [u64; 32] {
        let shape = &self.core.shape;
        let thread = |axis: usize| {
            array::from_fn(|lane| u64::from(shape.thread(self.identity.first_thread + lane as u32)[axis]))
        };
        let same = |value: u64| [value; 32];
        let of_lane = |f: fn(u32) -> u32| array::from_fn(|lane| u64::from(f(lane as u32)));
        match special {
            Special::ThreadX => thread(0),
            Special::ThreadY => thread(1),
            Special::ThreadZ => thread(2),
            Special::BlockX => same(shape.block[0].into()),
            Special::BlockY => same(shape.block[1].into()),
            Special::BlockZ => same(shape.block[2].into()),
            Special::GroupX => same(self.group.position[0].into()),
            Special::GroupY => same(self.group.position[1].into()),
            Special::GroupZ => same(self.group.position[2].into()),
            Special::GridX => same(shape.grid[0].into()),
            Special::GridY => same(shape.grid[1].into()),
            Special::GridZ => same(shape.grid[2].into()),
            Special::ClusterX => same((self.group.position[0] / shape.cluster[0]).into()),
            Special::ClusterY => same((self.group.position[1] / shape.cluster[1]).into()),
            Special::ClusterZ => same((self.group.position[2] / shape.cluster[2]).into()),
            Special::ClustersX => same((shape.grid[0] / shape.cluster[0]).into()),
            Special::ClustersY => same((shape.grid[1] / shape.cluster[1]).into()),
            Special::ClustersZ => same((shape.grid[2] / shape.cluster[2]).into()),
            Special::InClusterX => same((self.group.position[0] % shape.cluster[0]).into()),
            Special::InClusterY => same((self.group.position[1] % shape.cluster[1]).into()),
            Special::InClusterZ => same((self.group.position[2] % shape.cluster[2]).into()),
            Special::OfClusterX => same(shape.cluster[0].into()),
            Special::OfClusterY => same(shape.cluster[1].into()),
            Special::OfClusterZ => same(shape.cluster[2].into()),
            Special::Rank => same(self.group.rank.into()),
            Special::Ranks => same(shape.groups_of_cluster()),
            Special::Lane => of_lane(|lane| lane),
            Special::Warp => same((self.identity.first_thread / 32).into()),
            Special::Warps => same(64),
            Special::MaskEqual => of_lane(|lane| 1 << lane),
            Special::MaskLess => of_lane(|lane| (1 << lane) - 1),
            Special::MaskLessEqual => of_lane(|lane| u32::MAX >> (31 - lane)),
            Special::MaskGreater => of_lane(|lane| !(u32::MAX >> (31 - lane))),
            Special::MaskGreaterEqual => of_lane(|lane| u32::MAX << lane),
            Special::Clock => same(self.clock & 0xffff_ffff),
            Special::ClockHigh => same(self.clock >> 32),
            Special::Clock64 => same(self.clock),
            Special::Timer => same(self.core.nanoseconds()),
            Special::TimerLow => same(self.core.nanoseconds() & 0xffff_ffff),
            Special::TimerHigh => same(self.core.nanoseconds() >> 32),
            Special::Multiprocessor => same(self.core.worker),
            Special::Multiprocessors => same(self.core.workers),
            Special::GridNumber | Special::GraphExec | Special::Zero => same(0),
            // None of the workgroup memory is the system's own.
            Special::ReservedBegin
            | Special::ReservedEnd
            | Special::ReservedCap
            | Special::Reserved0
            | Special::Reserved1 => same(0),
            Special::AggregateShared => same(shape.shared.into()),
            Special::WorkspaceHigh => same(self.core.shared.workspace >> 32),
            Special::WorkspaceLow => same(self.core.shared.workspace & 0xffff_ffff),
            Special::DynamicShared => same(shape.dynamic_shared.into()),
            Special::TotalShared => same(shape.shared.into()),
        }
    }
}
