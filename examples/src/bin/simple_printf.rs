//! `simplePrintf` of the CUDA samples: every thread prints where it is. Lines come whole, and in some order.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, check, up_to},
    std::sync::mpsc,
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
    let Sample { options: Options { groups, block }, device, stream, report } = Sample::begin("checked")?;
    let (sender, lines) = mpsc::channel();
    device.on_print(move |line| {
        println!("{line}");
        sender.send(line.to_owned()).ok();
    });

    let numbers: Vec<u32> = (0..groups * block).map(|i| i as u32 * 3).collect();
    let x = stream.upload(&numbers)?;
    say::load(&device)?.launch(&stream, LaunchConfig::grid(groups, block), (10, &x))?;
    stream.synchronize()?;

    let mut lines: Vec<String> = lines.try_iter().collect();
    let line = |(i, x)| format!("[{}, {}]: value is 10, mine is {x}", i / block, i % block);
    let mut expected: Vec<String> = numbers.iter().enumerate().map(line).collect();
    lines.sort();
    expected.sort();
    check::equal("line", &lines, expected)?;
    report.row("checked", format_args!("{} lines", lines.len()))
}
