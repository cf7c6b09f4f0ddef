//! The rows: one file an algorithm, each with the kernel of a sample.

mod bfs;
mod compaction;
mod hotspot;
mod layernorm;
mod needleman_wunsch;
mod softmax;
mod spmv;

use gridwright::prelude::*;

use crate::race::Row;

/// How large a row's problem is.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// To see that results agree.
    Small,
    /// To measure.
    Full,
}

impl Size {
    fn pick<T>(self, small: T, full: T) -> T {
        match self {
            Self::Small => small,
            Self::Full => full,
        }
    }
}

/// Makes a row's memory.
type Enter = fn(&Device, Size) -> anyhow::Result<Row>;

/// All rows, by their names.
pub(crate) const ROWS: [(&str, Enter); 12] = [
    ("hotspot", hotspot::by_threads),
    ("hotspot, halo threads", hotspot::by_tiles),
    ("needleman_wunsch", needleman_wunsch::enter),
    ("softmax, a group a row", softmax::by_groups),
    ("softmax, a warp a row", softmax::by_warps),
    ("layernorm, a group a row", layernorm::by_groups),
    ("layernorm, a warp a row", layernorm::by_warps),
    ("bfs", bfs::enter),
    ("compaction, ballots", compaction::by_ballots),
    ("compaction, a counter", compaction::by_counter),
    ("spmv, a thread a row", spmv::by_threads),
    ("spmv, a warp a row", spmv::by_warps),
];

/// Numbers from 0 to 22 that look random.
fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i.wrapping_mul(2_654_435_761) >> 8 & 0xffff) as f32 / 3000.0).collect()
}
