//! `deviceQuery` of the CUDA samples: what there is, and what a kernel gets of it.

use gridwright::prelude::*;
#[host_only]
use {anyhow::ensure, clap::Parser};

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
    let chosen = Device::from_env()?;
    let others = Device::all()?.into_iter().filter(|other| other.name() != chosen.name());
    for device in std::iter::once(chosen.clone()).chain(others) {
        let limits = device.limits();
        println!("device              {}, {:?}", device.name(), device.kind());
        println!(
            "threads of a group  {}, at most {:?} along x, y, z",
            limits.threads_per_group, limits.block
        );
        println!("groups of a launch  {:?} along x, y, z", limits.groups);
        println!("workgroup memory    {} KiB", limits.workgroup_memory / 1024);
        println!("priorities          {:?}", device.priorities());
        match count_up::load(&device) {
            Ok(kernel) => {
                let (attributes, occupancy) = (kernel.attributes()?, kernel.occupancy(256)?);
                let registers =
                    attributes.registers.map_or_else(|| "has no answer".into(), |count| count.to_string());
                println!("registers           {registers}");
                println!(
                    "groups of 256       {} on each of {} processors, {:.0} % of their threads",
                    occupancy.groups_per_processor,
                    occupancy.processors,
                    100.0 * occupancy.fraction(),
                );
                let stream = device.stream()?;
                let mut x = stream.alloc_zeroed(1000)?;
                kernel.launch(&stream, LaunchConfig::threads(1000), (&mut x,))?;
                ensure!(stream.download(&x)? == [1; 1000], "{} doesn't count", device.name());
            }
            // A program that was built for other devices.
            Err(error) if device.name() != chosen.name() => println!("no kernels          {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    println!("checked             a kernel on each");
    Ok(())
}
