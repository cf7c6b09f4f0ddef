//! The bundle for GPU machines: it runs on the emulated driver with nothing of Rust on the path, and what fails shows.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use fs_err as fs;
use serde_json::Value;

use crate::bundle::Profile;
use crate::call::Call;
use crate::test::{cuda, device};
use crate::workspace::Workspace;
use crate::{bench, bundle, files};

/// All that `run.sh` may call.
const TOOLS: &str = "awk bash cat date dirname getconf grep mkdir mktemp rm sed tail timeout uname";

/// Parts that pass on an emulated driver.
const PASSING: &str = "example/vector_add example/sobel test/cuda test/records test/conformance test/primitives bench/gpu \
                       bench/launch_cost bench/primitives_gpu";

/// How the names of the bench's races begin.
const SUBJECTS: &str = "vector_add matrix_mul, matrix_mul_patches transpose reduction histogram_256 nbody scan_groups sobel \
                        black_scholes launch";

/// Runs what it is given, as NVIDIA's checker does; one of its checks finds something in one example.
const CHECKER: &str = "#!/bin/bash
if [[ $1 == --version ]]; then echo 'a stand-in, Version 0'; exit; fi
[[ $1 == --tool && $3 == --error-exitcode ]] || exit 3
\"${@:5}\" || exit
if [[ $2 == racecheck && $5 == */block_sum ]]; then echo 'a race'; exit \"$4\"; fi
";

/// A checker that refuses the device, as NVIDIA's does if it doesn't know it.
const REFUSING: &str = "#!/bin/bash\necho 'Error: Device not supported'\nexit 1\n";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the bundle is for Linux");
        return Ok(());
    }
    device::or_skip(workspace, || {
        let folder = tempfile::tempdir()?;
        let bundle = folder.path().join("bundle");
        bundle::make(workspace, Profile::Checked, &bundle)?;
        let machine = Machine::new(workspace, &folder.path().join("tools"), &bundle)?;
        whole(&machine)?;
        // It is read, and then refused.
        let kept = bench::keep_results(workspace, &machine.results("whole").join("results.json"));
        let reason = kept.err().context("a quick run was kept")?.to_string();
        ensure!(reason.contains("quick"), "{reason}");
        failures(&machine)?;
        checkers(&machine)
    })
}

/// Checks that everything passes, and that what isn't there is said.
fn whole(machine: &Machine) -> anyhow::Result<()> {
    // The usual limits are a GPU's.
    let results = machine.run("whole", &["--quick", "--limit", "900", "--total", "1800"])?;
    ensure!(results.status == Some(0), "the bundle fails: {:?}\n{}", results.status, results.said);
    ensure!(results.json["is_emulated"] == true && results.json["quick"] == true);
    ensure!(results.json["failed"] == 0, "failed: {}", results.json["failed"]);
    for part in PASSING.split(' ') {
        ensure!(results.state(part)? == "passed", "{part} hasn't passed");
    }
    for part in ["reference/nvcc", "memcheck", "initcheck"] {
        ensure!(results.state(part)? == "absent", "{part} isn't absent");
    }
    let gpu = &results.json["gpu"];
    ensure!(gpu["reference"] == "kernels.ptx", "raced against {}", gpu["reference"]);
    let rows = gpu["rows"].as_array().context("the bench has no rows")?;
    let names: Vec<_> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    for subject in SUBJECTS.split(' ') {
        ensure!(names.iter().any(|name| name.starts_with(subject)), "no race of {subject} in {names:?}");
    }
    for text in ["An emulation", "ABSENT: no nvcc", "NOTHING was checked", "| `bench/gpu` | passed |"] {
        ensure!(results.table.contains(text), "the table doesn't say `{text}`:\n{}", results.table);
    }
    Ok(())
}

/// Checks that a part that fails, or takes too long, is told by the status, and that the others run.
fn failures(machine: &Machine) -> anyhow::Result<()> {
    let examples = machine.bundle.join("bin/examples");
    files::write_program(&examples.join("broken"), "#!/bin/bash\necho 'a \"quoted\" end | of it'\nexit 3\n")?;
    let results = machine.run("broken", &["--quick", "--only", "example/b"])?;
    ensure!(results.status == Some(1), "a part failed, and the bundle ended with {:?}", results.status);
    ensure!(results.state("example/broken")? == "failed" && results.state("example/block_sum")? == "passed");
    let part = results.part("example/broken")?;
    ensure!(part["exit"] == 3 && part["detail"] == "a \"quoted\" end | of it", "{part}");

    files::write_program(&examples.join("broken"), "#!/bin/bash\ntrap '' TERM\nwhile :; do :; done\n")?;
    let start = Instant::now();
    let results = machine.run("slow", &["--quick", "--only", "example/broken", "--limit", "1"])?;
    ensure!(results.status == Some(1) && results.state("example/broken")? == "timed out");
    ensure!(start.elapsed() < Duration::from_secs(60), "the limit didn't hold");
    fs::remove_file(examples.join("broken"))?;

    // Without a driver.
    let mut command = machine.command("none", &["--quick", "--only", "vector_add"]);
    let results = Results::of(&command.env_remove("LD_LIBRARY_PATH").output()?, &machine.results("none"))?;
    ensure!(results.status == Some(1) && results.table.contains("ABSENT"), "{}", results.table);
    Ok(())
}

/// Checks the bundle with programs in the place of NVIDIA's.
fn checkers(machine: &Machine) -> anyhow::Result<()> {
    let checker = machine.tools.join("compute-sanitizer");
    files::write_program(&checker, CHECKER)?;
    let results = machine.run("checked", &["--quick", "--only", "check/block_sum"])?;
    ensure!(results.status == Some(1) && results.json["failed"] == 1 && results.json["passed"] == 3);
    ensure!(results.part("racecheck/block_sum")?["exit"] == 97);

    files::write_program(&checker, REFUSING)?;
    // Seen at the first example.
    let results = machine.run("refused", &["--quick", "--only", "check"])?;
    ensure!(results.status == Some(0) && results.json["passed"] == 0, "{}", results.table);
    ensure!(results.state("memcheck/async_api")? == "absent" && results.state("racecheck")? == "absent");
    Ok(())
}

/// What the bundle is run on: an emulated driver, and few programs on the path.
struct Machine {
    bundle: PathBuf,
    tools: PathBuf,
    driver: PathBuf,
}

impl Machine {
    fn new(workspace: &Workspace, tools: &Path, bundle: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(tools)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        for tool in TOOLS.split(' ') {
            let mut found = std::env::split_paths(&path).map(|folder| folder.join(tool));
            let found = found.find(|file| file.is_file()).with_context(|| {
                format!("there is no `{tool}` on the PATH, which the bundle's run.sh calls")
            })?;
            Call::new(workspace, "ln").arguments(["-s".into(), found, tools.join(tool)]).run()?;
        }
        Ok(Self { bundle: bundle.into(), tools: tools.into(), driver: cuda::LIBRARY.lay_out(workspace)? })
    }

    fn results(&self, name: &str) -> PathBuf {
        self.tools.with_file_name(name)
    }

    fn command(&self, name: &str, options: &[&str]) -> Command {
        // A finding is no failure here: the padding of pairs in workgroup memory, which nobody writes, is read with them by one load.
        let (checks, value) = (cuda::CHECKS.0, "warn");
        let mut command = Command::new(self.tools.join("bash"));
        command.arg(self.bundle.join("run.sh")).args(options).arg("--out").arg(self.results(name));
        command.env_clear().env("PATH", &self.tools).env("LD_LIBRARY_PATH", &self.driver).env(checks, value);
        command
    }

    fn run(&self, name: &str, options: &[&str]) -> anyhow::Result<Results> {
        let output = self.command(name, options).output().context("can't start bash")?;
        Results::of(&output, &self.results(name))
    }
}

/// What a run of the bundle left.
struct Results {
    status: Option<i32>,
    said: String,
    json: Value,
    table: String,
}

impl Results {
    fn of(output: &Output, folder: &Path) -> anyhow::Result<Self> {
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let read = |name: &str| {
            fs::read_to_string(folder.join(name)).with_context(|| format!("run.sh said:\n{said}"))
        };
        let (json, table) = (read("results.json")?, read("table.md")?);
        let json = serde_json::from_str(&json).with_context(|| format!("this is no JSON:\n{json}"))?;
        Ok(Self { status: output.status.code(), json, table, said })
    }

    fn part(&self, name: &str) -> anyhow::Result<&Value> {
        let mut parts = self.json["parts"].as_array().into_iter().flatten();
        parts.find(|part| part["name"] == name).with_context(|| format!("no part {name}:\n{}", self.said))
    }

    fn state(&self, part: &str) -> anyhow::Result<&str> {
        self.part(part)?["state"].as_str().context("a part has no state")
    }
}
