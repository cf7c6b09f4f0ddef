//! Kernels as people port them, whole algorithms with the shapes of CUDA programs, against plain C with OpenMP: a thread each,
//! in CPU time.

mod c;
mod clock;
mod race;
mod rows;

use std::env;
use std::process::{Command, exit};

use anyhow::Context;
use gridwright::prelude::*;
use gridwright_measured::options::Options;
use gridwright_measured::{compiled, machine};

fn main() -> anyhow::Result<()> {
    let options = Options::of_bench("Races ports of CUDA kernels against plain C, on one thread");
    let quick = options.quick;
    // A process has one pool of threads, whose size it reads once.
    const ONE: [&str; 2] = ["GRIDWRIGHT_CPU_THREADS", "OMP_NUM_THREADS"];
    if ONE.iter().any(|name| env::var(name).as_deref() != Ok("1")) {
        let status = Command::new(env::current_exe()?)
            .args(env::args_os().skip(1))
            .envs(ONE.map(|name| (name, "1")))
            .status()?;
        exit(status.code().unwrap_or(1));
    }
    let peers = match c::Peers::compile() {
        Ok(peers) => Some(peers),
        Err(reason) => {
            println!("C with OpenMP is skipped: {reason:#}");
            None
        }
    };
    let device = Device::cpu()?;
    let mut results = Vec::new();
    for (name, enter) in rows::ROWS {
        if options.wants(name) {
            let row = enter(&device, if quick { rows::Size::Small } else { rows::Size::Full });
            results.push(race::race(name, row.context(name)?, peers.as_ref(), quick).context(name)?);
        }
    }
    println!("{} ({}), one thread, CPU time", machine::cpu_model(), device.name());
    if quick {
        println!("{} rows agree; one call measures nothing", results.len());
    } else {
        println!("{}", race::table(&results));
    }
    options.keep(&serde_json::json!({
        "cpu": machine::cpu_model(),
        "device": device.name(),
        "compiler": compiled::compiler().ok(),
        "flags": compiled::FLAGS,
        "rows": results,
    }))
}
