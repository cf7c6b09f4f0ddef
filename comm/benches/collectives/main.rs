//! Calls of ranks beside the same calls in C, in one process and one run.
//!
//! Started by a person it starts itself by `mpirun`, with 2 ranks and with 4. `--peer LIBRARY` is `peer.c` as a shared library, which
//! `cargo xtask bench --comm` compiles; without it nothing is raced. `--json FILE` writes what was found, and `--quick` only shows that all runs.

mod launch;
mod peer;
mod race;
mod record;

use std::path::PathBuf;

/// What the command line says.
#[derive(Default)]
struct Options {
    peer: Option<PathBuf>,
    json: Option<PathBuf>,
    is_quick: bool,
    /// Whether the process is one of the ranks.
    is_rank: bool,
}

impl Options {
    fn read() -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--peer" => options.peer = arguments.next().map(PathBuf::from),
                "--json" => options.json = arguments.next().map(PathBuf::from),
                "--quick" => options.is_quick = true,
                "--rank" => options.is_rank = true,
                // Cargo says it to every bench.
                "--bench" => {}
                other => anyhow::bail!("`{other}` isn't one of --peer, --json, --quick"),
            }
        }
        Ok(options)
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::read()?;
    if options.is_rank { race::run(&options) } else { launch::run(&options) }
}
