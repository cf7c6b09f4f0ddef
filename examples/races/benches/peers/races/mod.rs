//! The races: what is asked, who answers, and how they take turns.

mod by_hand;
mod c;
mod cl;
mod contestant;
mod harness;
mod ispc;
mod limit;
mod on_arrays;
mod one_thread;
mod problem;
mod process;
mod python;
mod record;
mod rows;
mod table;

use std::env;
use std::fs;
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Parser;
use gridwright::prelude::*;
use gridwright_measured::{compiled, loops, machine, open_cl, options};
use rayon::ThreadPoolBuilder;

use c::C;
use cl::Runtime;
use harness::Harness;
use ispc::Ispc;
use limit::OpenBlas;
use open_cl::Cpu;
use python::Python;
use record::Record;
use rows::{Entry, ROWS};

/// The peers in Python: a variable with the path of an interpreter that has the package, the peer's name, and its source.
const PYTHON: [(&str, &str, &str); 3] = [
    ("GRIDWRIGHT_PEERS_NUMBA", "Numba", "numba_peers.py"),
    ("GRIDWRIGHT_PEERS_WARP", "Warp", "warp_peers.py"),
    ("GRIDWRIGHT_PEERS_TAICHI", "Taichi", "taichi_peers.py"),
];

/// Races Gridwright's CPU backend against all that others would take.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: options::Options,
    /// Only see whether the OpenCL runtime of this name lives through every row: some end the process where they fail.
    #[arg(long, value_name = "RUNTIME", hide = true)]
    trial: Option<String>,
    /// Only answer what standard input asks of ours in the row of this name.
    #[arg(long, value_name = "ROW", hide = true)]
    answer: Option<String>,
}

/// Who is there beside ours and rayon.
#[derive(Default)]
struct Peers {
    c: Option<C>,
    ispc: Option<Ispc>,
    cl: Vec<(String, Runtime)>,
    python: Vec<(String, Python)>,
    open_blas: Option<OpenBlas>,
}

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let Options { common, trial, answer } = Options::parse();
    if let Some(row) = answer {
        return one_thread::answer(&row);
    }
    let quick = common.quick;
    let load_before = load();
    let threads = machine::threads();
    ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let device = Device::cpu()?;
    let mut harness = Harness::new(quick || trial.is_some())?;
    let mut peers = match &trial {
        Some(name) => Peers::alone(name)?,
        None => Peers::find(&mut harness, &common.rows, quick, threads),
    };
    for (name, enter) in ROWS {
        if common.wants(name) {
            race(&mut harness, &mut peers, name, enter(&device).context(name)?, threads)?;
        }
    }
    ensure!(!harness.rows.is_empty(), "no row has such a name");
    if trial.is_some() {
        return Ok(());
    }
    let record = Record {
        device: device.name().to_owned(),
        cpu: machine::cpu_model(),
        threads,
        quick,
        load_before,
        versions: peers.versions(),
        rows: harness.rows,
        skipped: harness.skipped,
    };
    println!("{} ({}), {} threads", record.cpu, record.device, record.threads);
    if quick {
        println!("{} races agree; one round measures nothing", record.rows.len());
    } else {
        println!("{}", table::of(&record.rows));
    }
    common.keep(&record)
}

fn race(
    harness: &mut Harness,
    peers: &mut Peers,
    name: &str,
    entry: Entry,
    threads: usize,
) -> anyhow::Result<()> {
    let Entry { problem, ours, rayon } = entry;
    let mut contestants = vec![("Gridwright".to_owned(), ours), ("rayon".to_owned(), rayon)];
    let Peers { c, ispc, cl, python, open_blas } = peers;
    let entered = c.iter().map(|c| ("C with OpenMP".to_owned(), c.enter(&problem).map(Some)));
    let entered = entered.chain(ispc.iter().map(|ispc| ("ISPC".to_owned(), Ok(ispc.enter(&problem)))));
    let entered = entered.chain(cl.iter().map(|(name, runtime)| (name.clone(), runtime.enter(&problem))));
    let entered =
        entered.chain(python.iter_mut().map(|(name, python)| (name.clone(), python.enter(&problem))));
    let one_thread = (threads > 1).then(|| (one_thread::NAME.to_owned(), one_thread::enter(name).map(Some)));
    for (peer, contestant) in entered.chain(one_thread) {
        match contestant {
            Ok(Some(contestant)) => contestants.push((peer, contestant)),
            Ok(None) => {}
            Err(reason) => harness.skip(&peer, Some(name), &reason),
        }
    }
    harness.race(name, &problem, contestants, limit::of(&problem, *open_blas))
}

impl Peers {
    /// Looks for all. Who isn't there is skipped, which is said.
    fn find(harness: &mut Harness, rows: &[String], quick: bool, threads: usize) -> Self {
        let mut peers = Self::default();
        match C::compile(threads) {
            Ok(c) => peers.c = Some(c),
            Err(reason) => harness.skip("C with OpenMP", None, &reason),
        }
        match Ispc::compile() {
            Ok(ispc) => peers.ispc = ispc,
            Err(reason) => harness.skip("ISPC", None, &reason),
        }
        match OpenBlas::load(threads) {
            Ok(open_blas) => peers.open_blas = Some(open_blas),
            Err(reason) => harness.skip("OpenBLAS", None, &reason),
        }
        if quick {
            return peers;
        }
        let cpus = open_cl::cpus().unwrap_or_else(|reason| {
            harness.skip("OpenCL", None, &reason);
            Vec::new()
        });
        for cpu in cpus {
            let name = runtime_name(&cpu);
            let is_fair = if cpu.threads == threads {
                Ok(())
            } else {
                Err(anyhow::anyhow!("it has {} threads of its own", cpu.threads))
            };
            let is_usable = is_fair.and_then(|()| live_through(&name, rows));
            match is_usable.and_then(|()| Runtime::of(cpu)) {
                Ok(runtime) => peers.cl.push((name, runtime)),
                Err(reason) => harness.skip(&name, None, &reason),
            }
        }
        for (variable, name, file) in PYTHON {
            let interpreter = env::var_os(variable).with_context(|| format!("{variable} isn't set"));
            match interpreter.and_then(|path| Python::start(path.as_ref(), file, threads)) {
                Ok(python) => peers.python.push((name.to_owned(), python)),
                Err(reason) => harness.skip(name, None, &reason),
            }
        }
        peers
    }

    /// One OpenCL runtime and nobody else.
    fn alone(name: &str) -> anyhow::Result<Self> {
        let cpu = open_cl::cpus()?.into_iter().find(|cpu| runtime_name(cpu) == name);
        let runtime = Runtime::of(cpu.with_context(|| format!("there is no {name}"))?)?;
        Ok(Self { cl: vec![(name.to_owned(), runtime)], ..Self::default() })
    }

    fn versions(&self) -> Vec<(String, String)> {
        let mut versions = Vec::new();
        if let (Some(_), Ok(compiler)) = (&self.c, compiled::compiler()) {
            versions.push(("C with OpenMP".to_owned(), format!("{compiler}, {}", compiled::FLAGS.join(" "))));
        }
        versions.extend(self.ispc.iter().map(|ispc| ("ISPC".to_owned(), ispc.version.clone())));
        versions.extend(self.cl.iter().map(|(name, runtime)| (name.clone(), runtime.version().to_owned())));
        versions.extend(self.python.iter().map(|(name, python)| (name.clone(), python.version.clone())));
        versions
    }
}

/// What an OpenCL runtime is called in tables.
fn runtime_name(cpu: &Cpu) -> String {
    match &cpu.name {
        intel if intel.starts_with("Intel") => "Intel OpenCL".to_owned(),
        pocl if pocl.starts_with("Portable") => "PoCL".to_owned(),
        other => other.clone(),
    }
}

/// Runs the rows with an OpenCL runtime in a process of their own. PoCL 3.0 ends the one that it is in where its compiler fails, as
/// it does on machines with AVX-512.
///
/// # Errors
/// Where the process doesn't end well, with the first of its last words.
fn live_through(name: &str, rows: &[String]) -> anyhow::Result<()> {
    let mut trial = Command::new(env::current_exe()?);
    // A cache would keep what a compiler that failed has left behind.
    let output = trial.args(["--trial", name]).args(rows).env("POCL_KERNEL_CACHE", "0").output()?;
    let words = String::from_utf8_lossy(&output.stderr);
    let words = words.lines().find(|line| line.to_lowercase().contains("error")).unwrap_or_default();
    ensure!(
        output.status.success(),
        "a process in which it ran its kernels ended with {}: {words}",
        output.status
    );
    Ok(())
}

/// The machine's load of the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
