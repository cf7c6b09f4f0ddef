//! `threadFenceReduction` of the CUDA samples: a sum in one launch. Each workgroup leaves its own sum, and the last one to come sums those.
//!
//! Which group is last, a counter tells. Groups add to it with `AcqRel`, so that the last one sees what all others stored before.

use core::sync::atomic::Ordering::AcqRel;

use gridwright::Scope;
use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, scattered, up_to},
};

/// Threads in a workgroup, and the most groups of a launch.
const BLOCK: usize = 256;
const MOST_GROUPS: usize = 64;

/// Each group sums elements that lie `groups` blocks apart. `state` has the counter, the result, and a sum for each group.
#[gpu_kernel(block = BLOCK, requires = groups > 0 && state.len() == groups + 2)]
pub(crate) fn sum(
    g: &Group,
    groups: usize,
    x: &[u32],
    state: Atomic<[u64]>,
    mut is_last: Workgroup<[u32; 1]>,
) {
    let mut mine = g.private(0_u64);
    let mut first = g.index() * BLOCK;
    while first < x.len() {
        g.each((&mut mine, x.elements_from(first)), |_, (mine, x)| {
            *mine += u64::from(x.copied().unwrap_or(0));
        });
        first += groups * BLOCK;
    }
    let total = g.reduce(&mine, |a, b| a + b);
    let group = g.index();
    g.each(is_last.elements_mut().take(1), |t, is_last| {
        state.set(t, 2 + group, total);
        let before = state.fetch_add_with(t, 0, 1, Scope::Device, AcqRel);
        *is_last = u32::from(before == groups as u64 - 1);
    });
    if g.read(&is_last, 0) == 0 {
        return;
    }
    let sums = g.map((), |t, ()| match t.local().x {
        group if group < groups => state.read(t, 2 + group),
        _ => 0,
    });
    let total = g.reduce(&sums, |a, b| a + b);
    g.each(is_last.elements_mut().take(1), |t, _| {
        state.set(t, 1, total);
        // For the next launch.
        state.set(t, 0, 0);
    });
}

/// Sums numbers in one launch and checks the sum.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 10_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("sum")?;
    let numbers: Vec<u32> = scattered(len).collect();
    let x = stream.upload(&numbers)?;
    let groups = len.div_ceil(BLOCK).clamp(1, MOST_GROUPS);
    let mut state = stream.alloc_zeroed(groups + 2)?;
    let kernel = sum::load(&device)?;
    let config = LaunchConfig::grid(groups, BLOCK);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (groups, &x, &mut state)))?;
    report.timed(format_args!("{len} numbers, {groups} groups"), timing, "B", 4 * len)?;

    let expected: u64 = numbers.into_iter().map(u64::from).sum();
    check::equal("sum", &stream.download(&state)?[1..2], [expected])?;
    report.row("checked", "the sum")
}
