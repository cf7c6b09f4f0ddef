//! The emulator's process, which counts: a line of JSON in, a line out.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::json;

use super::Kernel;
use super::case::Case;
use super::parameters::Packed;
use crate::table::row;
use crate::workspace::Workspace;

/// What counts, from the workspace's root.
const COUNT: &str = "xtask/src/codegen/emulator/count.py";

/// What mends the emulator, from the workspace's root.
const SERVE: &str = "emulator/amd-emulator-client/src/serve.py";

/// What waves executed, without instructions that do nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Executed {
    /// Instructions by name.
    pub(super) names: BTreeMap<String, u64>,
    /// Cache lines of buffers that accesses touched.
    pub(super) transactions: u64,
    /// Accesses to threads' own memory.
    pub(super) scratch: u64,
}

impl Executed {
    /// A row with what both execute, and how many times as much ours does.
    pub(super) fn row(&self, name: &str, theirs: &Self) -> impl Iterator<Item = String> {
        let both = |ours: u64, theirs: u64| row![ours, theirs, format!("{:.2}", ratio(ours, theirs))];
        let instructions = both(self.instructions(), theirs.instructions());
        let transactions = both(self.transactions, theirs.transactions);
        let scratch = row![self.scratch, theirs.scratch];
        row![name].into_iter().chain(instructions).chain(transactions).chain(scratch)
    }

    pub(super) fn instructions(&self) -> u64 {
        self.names.values().sum()
    }
}

/// The names of the columns that rows have.
pub(super) fn header(architecture: &str) -> String {
    format!(
        "kernel | {architecture} instructions: | clang's: | ratio: | transactions: | clang's: | ratio: | scratch: | clang's:"
    )
}

pub(super) fn ratio(ours: u64, theirs: u64) -> f64 {
    ours as f64 / theirs as f64
}

/// What a launch did.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) executed: Executed,
    /// What the buffers hold afterwards.
    pub(super) buffers: Vec<Vec<u8>>,
}

/// An answer of `count.py`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    ok: bool,
    error: String,
    instructions: BTreeMap<String, u64>,
    transactions: u64,
    scratch: u64,
    buffers: Vec<String>,
}

/// An emulator that runs and counts.
pub(super) struct Counter {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Counter {
    /// Starts an emulator whose server is at `script`.
    ///
    /// # Errors
    /// Where Python doesn't start. What else goes wrong shows at the first launch.
    pub(super) fn start(workspace: &Workspace, python: &Path, script: &Path) -> anyhow::Result<Self> {
        // What the emulator compiles is kept there, and nothing is written into its folder.
        let cache = workspace.target("python").join("amd-cache");
        let mut process = Command::new(python)
            .arg(workspace.root.join(COUNT))
            .args([&workspace.root.join(SERVE), script])
            .env("XDG_CACHE_HOME", &cache)
            .env("PYTHONPYCACHEPREFIX", &cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", python.display()))?;
        let input = process.stdin.take().context("no input")?;
        let output = process.stdout.take().context("no output")?;
        Ok(Self { process, input, output: BufReader::new(output) })
    }

    /// Launches a kernel of a code object, as a case has it.
    ///
    /// # Errors
    /// Where the emulator can't run it, or it accesses memory outside of its buffers.
    pub(super) fn launch(
        &mut self,
        Kernel { code_object, architecture, name, workgroup_bytes, .. }: &Kernel<'_>,
        arguments: &Packed,
        case: &Case,
    ) -> anyhow::Result<Outcome> {
        let request = json!({
            "code": code_object,
            "arch": architecture,
            "kernel": name,
            "groups": case.groups,
            "threads": case.threads,
            "workgroup_bytes": workgroup_bytes,
            "buffers": case.buffers.iter().map(|bytes| hex(bytes)).collect::<Vec<_>>(),
            "kernarg": hex(&arguments.bytes),
            "pointers": arguments.pointers,
        });
        writeln!(self.input, "{request}").context("the emulator ended")?;
        let mut line = String::new();
        self.output.read_line(&mut line).context("the emulator's answer")?;
        outcome(&line)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // A process that is gone already is no matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn outcome(line: &str) -> anyhow::Result<Outcome> {
    let answer: Answer = serde_json::from_str(line).with_context(|| format!("the emulator said `{line}`"))?;
    if !answer.ok {
        bail!("{}", answer.error);
    }
    let Answer { mut instructions, transactions, scratch, buffers, .. } = answer;
    instructions.retain(|name, _| name != "s_nop");
    let buffers = buffers.iter().map(|text| bytes(text)).collect::<Option<_>>().context("buffers in hex")?;
    Ok(Outcome { executed: Executed { names: instructions, transactions, scratch }, buffers })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{Executed, Outcome, bytes, hex, outcome};

    #[test]
    fn an_answer_is_read_without_what_does_nothing() {
        let line = r#"{"ok": true, "instructions": {"s_nop": 9, "s_endpgm": 2, "v_add_f32": 4}, "transactions": 3, "scratch": 1,
            "buffers": ["00ff", ""]}"#;
        let names = [("s_endpgm".into(), 2), ("v_add_f32".into(), 4)].into();
        let executed = Executed { names, transactions: 3, scratch: 1 };
        assert_eq!(executed.instructions(), 6);
        assert_eq!(outcome(line).unwrap(), Outcome { executed, buffers: vec![vec![0, 255], vec![]] });
    }

    #[test]
    fn a_row_has_both_and_their_ratio() {
        let ours = Executed { names: [("s_endpgm".into(), 3)].into(), transactions: 5, scratch: 7 };
        let theirs = Executed { names: [("s_endpgm".into(), 2)].into(), transactions: 5, scratch: 0 };
        let row: Vec<_> = ours.row("saxpy", &theirs).collect();
        assert_eq!(row, ["saxpy", "3", "2", "1.50", "5", "5", "1.00", "7", "0"]);
    }

    #[test]
    fn a_refusal_is_an_error_and_so_is_nonsense() {
        let error = |line: &str| format!("{:#}", outcome(line).unwrap_err());
        assert_eq!(error(r#"{"ok": false, "error": "outside of the buffers"}"#), "outside of the buffers");
        assert!(error("").contains("said"));
        assert!(error(r#"{"ok": true, "buffers": ["0"]}"#).contains("hex"));
    }

    #[test]
    fn bytes_are_read_as_written() {
        assert_eq!(bytes(&hex(&[0, 1, 0xfe])), Some(vec![0, 1, 0xfe]));
        assert_eq!(bytes("0g"), None);
    }
}
