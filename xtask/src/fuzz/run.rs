//! Builds a program of kernels and runs it on a device, from one kernel to the next whatever happens.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, bail};
use fs_err as fs;
use itertools::Itertools;

use super::devices::Device;
use crate::call::Call;

/// Time that a kernel may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The name of the generated package and its program.
const NAME: &str = "fuzz-kernels";

/// What became of a kernel on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Right,
    /// The host itself panics: a fault of the generator.
    Skipped,
    Wrong(Wrong),
    /// Refused, panicked, or ended the program.
    Failed(String),
    /// The device's compiler doesn't take it.
    Uncompiled(String),
}

impl Outcome {
    pub(super) fn is_difference(&self) -> bool {
        matches!(self, Self::Wrong(_) | Self::Failed(_) | Self::Uncompiled(_))
    }
}

/// The first thread whose result is another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) thread: usize,
    pub(super) threads: usize,
    pub(super) got: [String; 2],
    pub(super) right: [String; 2],
    /// The four numbers of the thread's own.
    pub(super) row: String,
}

/// The generated package. Its target folder stays, so that only the kernels are compiled.
#[derive(Debug)]
pub(super) struct Package {
    folder: PathBuf,
    target: PathBuf,
}

impl Package {
    /// Writes what doesn't change from program to program.
    pub(super) fn prepare(root: &Path, fuzz: &Path) -> anyhow::Result<Self> {
        let folder = fuzz.join("kernels");
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\ngridwright = {{ path = {root:?}, features = [\"emulator\"] }}\n\n[build-dependencies]\ngridwright-build = {{ path = {build:?} }}\n\n[workspace]\n\n[profile.dev]\nopt-level = 2\ndebug = false\ndebug-assertions = false\noverflow-checks = false\nincremental = false\n",
            build = root.join("kernel-build"),
        );
        write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
        let script = "fn main() {\n    gridwright_build::compile_kernels();\n}\n";
        write_if_changed(&folder.join("build.rs"), script)?;
        // The versions that the workspace is tested with.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).context("can't copy Cargo.lock")?;
        Ok(Self { folder, target: fuzz.join("target") })
    }

    /// The source of the program that is built.
    pub(super) fn source(&self) -> PathBuf {
        self.folder.join("src").join("main.rs")
    }

    /// Builds a program for architectures. What a device's compiler says that doesn't take it is the inner error.
    ///
    /// # Errors
    /// Where it doesn't compile on the host, with what the compiler says.
    pub(super) fn build(
        &self,
        text: &str,
        architectures: &[&str],
    ) -> anyhow::Result<Result<PathBuf, String>> {
        fs::write(self.source(), text).context("can't write the program")?;
        let cargo = Call::in_folder(&self.folder, "cargo").arguments(["build", "--quiet", "--target-dir"]);
        let cargo = cargo.arguments([&self.target]).variable("GRIDWRIGHT_REQUIRE_DEVICE", "1");
        let cargo = cargo.variable("CARGO_INCREMENTAL", "0");
        let cargo = match architectures {
            [] => cargo.variable("GRIDWRIGHT_SKIP_DEVICE", "1"),
            _ => {
                let cargo = cargo.variable("GRIDWRIGHT_ARCHITECTURES", architectures.join(","));
                cargo.without("GRIDWRIGHT_SKIP_DEVICE")
            }
        };
        let output = cargo.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let errors: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
            let of_device = errors.iter().find_map(|line| line.split_once("is built without GPU code: "));
            if let Some((_, error)) = of_device {
                return Ok(Err(reason(error)));
            }
            let end = errors.len().min(40);
            bail!("{} doesn't compile:\n{}", self.source().display(), errors[..end].join("\n"));
        }
        Ok(Ok(self.target.join("debug").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX))))
    }
}

/// A message without the command line in it.
fn reason(error: &str) -> String {
    let mut parts = error.split('`');
    let (before, after) = (parts.next().unwrap_or(""), parts.next_back().unwrap_or(""));
    format!("{before}… {after}").chars().take(300).collect()
}

fn write_if_changed(path: &Path, text: &str) -> anyhow::Result<()> {
    if fs::read_to_string(path).is_ok_and(|had| had == text) {
        return Ok(());
    }
    Ok(fs::write(path, text)?)
}

/// What a program's kernels do on a device. Of a group's kernels none is run after the first that differs.
pub(super) fn run(
    program: &Path,
    device: &Device,
    groups: &[Vec<usize>],
) -> anyhow::Result<BTreeMap<usize, Outcome>> {
    let mut outcomes = BTreeMap::new();
    let mut rest: Vec<Vec<usize>> = groups.to_vec();
    while !rest.is_empty() {
        let only = rest.iter().map(|group| group.iter().join(",")).join(";");
        let mut command = Command::new(program);
        command.env("FUZZ_THREADS", device.threads.to_string());
        command.env("FUZZ_ONLY", only).envs(device.variables.iter().cloned());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().with_context(|| format!("can't start {}", program.display()))?;
        let (end, said) = follow(child, &mut outcomes)?;
        let last = match end {
            End::Complete => break,
            End::At(last) => last,
            End::Nothing => bail!("the program ends on {} before any kernel: {said}", device.name),
        };
        outcomes.entry(last).or_insert(Outcome::Failed(format!("the program ends: {said}")));
        rest.retain(|group| {
            !group.iter().filter_map(|number| outcomes.get(number)).any(Outcome::is_difference)
        });
        rest.iter_mut().for_each(|group| group.retain(|number| *number > last));
        rest.retain(|group| !group.is_empty());
    }
    Ok(outcomes)
}

/// Where a run ended.
enum End {
    Complete,
    At(usize),
    Nothing,
}

fn follow(mut child: Child, outcomes: &mut BTreeMap<usize, Outcome>) -> anyhow::Result<(End, String)> {
    let (sender, lines) = channel();
    let output = child.stdout.take().context("its output is a pipe")?;
    let reader = std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
    });
    let mut errors = child.stderr.take().context("its errors are a pipe")?;
    let complaints = std::thread::spawn(move || {
        let mut said = Vec::new();
        _ = errors.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let mut end = End::Nothing;
    let mut is_late = false;
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                if let Some((number, outcome)) = parse(&line) {
                    outcomes.insert(number, outcome);
                } else if let Some(number) = line.strip_prefix("KERNEL ").and_then(|word| word.parse().ok()) {
                    end = End::At(number);
                } else if line == "END" {
                    end = End::Complete;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                is_late = true;
                child.kill()?;
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    _ = reader.join();
    let said = complaints.join().unwrap_or_default();
    let late = if is_late { "it took too long, " } else { "" };
    let said = said.lines().last().unwrap_or("").to_owned();
    Ok((end, format!("{late}{status} {said}")))
}

fn parse(line: &str) -> Option<(usize, Outcome)> {
    let mut words = line.splitn(3, ' ');
    let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
    let rest = words.next().unwrap_or("");
    let outcome = match kind {
        "RIGHT" => Outcome::Right,
        "SKIP" => Outcome::Skipped,
        "ERROR" => Outcome::Failed(rest.to_owned()),
        "WRONG" => {
            let mut words = rest.splitn(7, ' ');
            let (thread, threads) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let mut two = || Some([words.next()?.to_owned(), words.next()?.to_owned()]);
            let (got, right) = (two()?, two()?);
            let row = words.next()?.to_owned();
            Outcome::Wrong(Wrong { thread, threads, got, right, row })
        }
        _ => return None,
    };
    Some((number, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_program_are_understood() {
        assert_eq!(parse("RIGHT 7"), Some((7, Outcome::Right)));
        assert_eq!(parse("ERROR 3 no more memory"), Some((3, Outcome::Failed("no more memory".into()))));
        let [a, b, c, d] = ["0x1", "0x2", "0x3", "0x4"].map(String::from);
        let row = "[1, 2, 3, 4]".into();
        let wrong = Wrong { thread: 5, threads: 2, got: [a, b], right: [c, d], row };
        assert_eq!(parse("WRONG 9 5 2 0x1 0x2 0x3 0x4 [1, 2, 3, 4]"), Some((9, Outcome::Wrong(wrong))));
        assert_eq!(parse("KERNEL 9"), None);
    }
}
