//! `deviceQuery` of the CUDA samples: what there is, and what a kernel gets of it.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Limits,
    gridwright_examples::{Report, check},
};

#[gpu_kernel]
pub(crate) fn count_up(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += 1;
    }
}

/// Describes the devices, and launches a kernel on each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options {} = Options::parse();
    let (chosen, report) = (Device::from_env()?, Report::new("threads of a group"));
    let others = Device::all()?.into_iter().filter(|other| other.name() != chosen.name());
    for device in std::iter::once(chosen.clone()).chain(others) {
        let Limits { threads_per_group: threads, block, groups, workgroup_memory, .. } = device.limits();
        report.row("device", format_args!("{}, {:?}", device.name(), device.kind()))?;
        report.row("threads of a group", format_args!("{threads}, at most {block:?} along x, y, z"))?;
        report.row("groups of a launch", format_args!("{groups:?} along x, y, z"))?;
        report.row("workgroup memory", format_args!("{} KiB", workgroup_memory / 1024))?;
        report.row("priorities", format_args!("{:?}", device.priorities()))?;
        let kernel = match count_up::load(&device) {
            // A program that was built for other devices.
            Err(error) if device.name() != chosen.name() => {
                report.row("no kernels", error)?;
                continue;
            }
            kernel => kernel?,
        };
        let registers = kernel.attributes()?.registers.map(|count| count.to_string());
        report.row("registers", registers.as_deref().unwrap_or("has no answer"))?;
        let occupancy = kernel.occupancy(256)?;
        let (groups, processors) = (occupancy.groups_per_processor, occupancy.processors);
        let share = format_args!("{:.0} % of their threads", 100.0 * occupancy.fraction());
        report.row("groups of 256", format_args!("{groups} on each of {processors} processors, {share}"))?;
        let stream = device.stream()?;
        let mut x = stream.alloc_zeroed(1000)?;
        kernel.launch(&stream, LaunchConfig::threads(1000), (&mut x,))?;
        check::equal("element", &stream.download(&x)?, [1; 1000])?;
    }
    report.row("checked", "a kernel on each")
}
