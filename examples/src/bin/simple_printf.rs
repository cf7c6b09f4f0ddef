//! `simplePrintf` of the CUDA samples: every thread prints where it is. Lines come whole, and in some order.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::up_to,
    std::sync::{Arc, Mutex},
};

#[gpu_kernel]
pub(crate) fn say(t: Thread, value: i32, x: &[u32]) {
    if let Some(x) = x.get(t.index()) {
        gpu_println!(t, "[{}, {}]: value is {}, mine is {}", t.group_index(), t.local().x, value, x);
    }
}

/// Prints from threads and checks each line.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Workgroups.
    #[arg(long, default_value_t = 2, value_parser = up_to::<1024>)]
    groups: usize,
    /// Threads of a workgroup.
    #[arg(long, default_value_t = 8, value_parser = up_to::<1024>)]
    block: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { groups, block } = Options::parse();
    let device = Device::from_env()?;
    println!("device   {}", device.name());
    let lines = Arc::new(Mutex::new(Vec::new()));
    device.on_print({
        let lines = Arc::clone(&lines);
        move |line| {
            println!("{line}");
            lines.lock().unwrap_or_else(|lines| lines.into_inner()).push(line.to_owned());
        }
    });

    let stream = device.stream()?;
    let numbers: Vec<u32> = (0..groups * block).map(|i| i as u32 * 3).collect();
    let x = stream.upload(&numbers)?;
    say::load(&device)?.launch(&stream, LaunchConfig::grid(groups, block), (10, &x))?;
    stream.synchronize()?;

    let mut lines = lines.lock().unwrap_or_else(|lines| lines.into_inner()).clone();
    let mut expected: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(i, x)| format!("[{}, {}]: value is 10, mine is {x}", i / block, i % block))
        .collect();
    lines.sort();
    expected.sort();
    ensure!(lines == expected, "lines are missing, or wrong");
    println!("checked  {} lines", lines.len());
    Ok(())
}
