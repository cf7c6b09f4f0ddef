//! `simpleCooperativeGroups` of the CUDA samples: a helper that sums over whatever threads it is given, a workgroup or its tiles of a few
//! threads.

use gridwright::level::{Collective, Given};
use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, check, up_to},
    std::iter::repeat_n,
};

/// Threads in a workgroup, and in a tile.
const BLOCK: usize = 64;
const TILE: usize = 16;

/// The sum of the ranks of threads, whatever they are a group of.
fn sum_of_ranks<L: Collective>(threads: &L) -> Given<L, u32> {
    threads.reduce_add(&threads.rank())
}

/// The sum of each group's ranks, and for each thread the sum of the ranks in its tile.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn sum_ranks(g: &Group, mut of_groups: PerGroup<[u32]>, mut of_tiles: PerThread<[u32]>) {
    of_groups.set(g, sum_of_ranks(g));
    let sums = sum_of_ranks(&g.tiled::<TILE>());
    g.each((&sums, of_tiles.elements_mut()), |_, (sum, of_tile)| {
        if let Some(of_tile) = of_tile {
            *of_tile = *sum;
        }
    });
}

/// Sums ranks and checks the sums.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Workgroups.
    #[arg(long, default_value_t = 4, value_parser = up_to::<4096>)]
    groups: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { groups }, device, stream, report } = Sample::begin("checked")?;
    let (mut of_groups, mut of_tiles) = (stream.alloc_zeroed(groups)?, stream.alloc_zeroed(groups * BLOCK)?);
    let kernel = sum_ranks::load(&device)?;
    kernel.launch(&stream, LaunchConfig::grid(groups, BLOCK), (&mut of_groups, &mut of_tiles))?;

    let [of_group, of_tile] = [BLOCK, TILE].map(|n| (n * (n - 1) / 2) as u32);
    check::equal("the sum of group", &stream.download(&of_groups)?, repeat_n(of_group, groups))?;
    check::equal("the tile of thread", &stream.download(&of_tiles)?, repeat_n(of_tile, groups * BLOCK))?;
    let of_groups = format_args!("{groups} groups of {BLOCK} threads, {of_group}");
    let of_tiles = format_args!("each tile of {TILE}, {of_tile}");
    report.row("checked", format_args!("the sum of {of_groups}, and of {of_tiles}"))
}
