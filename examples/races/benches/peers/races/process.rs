//! A contestant's process: it is asked by lines of JSON on its standard input and answers on its standard output, so that its turns
//! are among all others'. It takes the time of its own calls.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

/// A process, which ends with this.
pub(crate) struct Process {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct Answer {
    error: Option<String>,
    #[serde(default)]
    value: Value,
}

impl Process {
    /// # Errors
    /// Where it doesn't start.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Self> {
        let program = command.get_program().to_owned();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", program.display()))?;
        let requests = child.stdin.take().context("no standard input")?;
        let answers = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { child, requests, answers })
    }

    /// # Errors
    /// What the process says, or that it ended.
    pub(crate) fn ask(&mut self, request: &Value) -> anyhow::Result<Value> {
        writeln!(self.requests, "{request}").context("it has ended")?;
        let mut line = String::new();
        ensure!(self.answers.read_line(&mut line)? > 0, "it ended without an answer");
        let answer: Answer = serde_json::from_str(&line).with_context(|| format!("not an answer: {line}"))?;
        match answer.error {
            Some(error) => bail!(error),
            None => Ok(answer.value),
        }
    }

    /// Nanoseconds a call of what it was told to prepare.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub(crate) fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        self.ask(&json!({ "ask": "time", "calls": calls }))?.as_f64().context("not a time")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
