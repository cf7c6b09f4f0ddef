//! Peers in Python: a process each, which is asked by lines of JSON on its standard input and answers on its standard output, so
//! that its turns are among all others'. It takes the time of its own calls.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::contestant::Contestant;
use super::problem::{Problem, Values};

/// Where the peers' sources are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/python");

/// A process.
pub(crate) struct Python {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// For arrays on their way.
    folder: TempDir,
    /// What the peer says that it is.
    pub(crate) version: String,
}

#[derive(Deserialize)]
struct Answer {
    error: Option<String>,
    #[serde(default)]
    value: Value,
}

impl Python {
    /// Starts a peer: a file of [`FOLDER`], by an interpreter that has its packages.
    ///
    /// # Errors
    /// Where it doesn't start, or lacks a package.
    pub(crate) fn start(interpreter: &Path, file: &str, threads: usize) -> anyhow::Result<Self> {
        let threads = threads.to_string();
        let mut process = Command::new(interpreter)
            .arg(Path::new(FOLDER).join(file))
            .env("NUMBA_NUM_THREADS", &threads)
            .env("OMP_NUM_THREADS", &threads)
            .env("TI_NUM_THREADS", &threads)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("can't start {}", interpreter.display()))?;
        let requests = process.stdin.take().context("no standard input")?;
        let answers = BufReader::new(process.stdout.take().context("no standard output")?);
        let mut python =
            Self { process, requests, answers, folder: tempfile::tempdir()?, version: String::new() };
        let version = python.ask(&json!({ "ask": "version" }))?;
        python.version = version.as_str().context("no version")?.to_owned();
        Ok(python)
    }

    /// Who takes part in a row, or nobody where the peer has no such function.
    ///
    /// # Errors
    /// Where the function fails.
    pub(crate) fn enter<'p>(
        &'p mut self,
        problem: &'p Problem,
    ) -> anyhow::Result<Option<Box<dyn Contestant + 'p>>> {
        let mut arrays = Vec::new();
        for (number, array) in problem.arrays.iter().enumerate() {
            let path = self.folder.path().join(number.to_string());
            fs::write(&path, array.bytes())?;
            arrays.push(json!({ "type": array.numpy(), "path": path }));
        }
        let has_one = self.ask(&json!({
            "ask": "prepare", "subject": problem.subject, "size": problem.size, "launches": problem.launches,
            "arrays": arrays, "results": problem.results, "scalars": problem.scalars,
        }))?;
        if has_one == json!(false) {
            return Ok(None);
        }
        Ok(Some(Box::new(InPython { python: self, problem })))
    }

    fn ask(&mut self, request: &Value) -> anyhow::Result<Value> {
        writeln!(self.requests, "{request}").context("it has ended")?;
        let mut line = String::new();
        ensure!(self.answers.read_line(&mut line)? > 0, "it ended without an answer");
        let answer: Answer = serde_json::from_str(&line).with_context(|| format!("not an answer: {line}"))?;
        match answer.error {
            Some(error) => bail!(error),
            None => Ok(answer.value),
        }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct InPython<'p> {
    python: &'p mut Python,
    problem: &'p Problem,
}

impl Contestant for InPython<'_> {
    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        let path = self.python.folder.path().join("results");
        self.python.ask(&json!({ "ask": "result", "path": path }))?;
        let bytes = fs::read(&path)?;
        let mut values = Vec::new();
        let mut rest = &bytes[..];
        for array in &self.problem.arrays[self.problem.arrays.len() - self.problem.results..] {
            let (bytes, after) = rest.split_at_checked(array.size()).context("results are missing")?;
            values.extend(array.of_same_type(bytes).values());
            rest = after;
        }
        Ok(values)
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        let nanoseconds = self.python.ask(&json!({ "ask": "time", "calls": calls }))?;
        nanoseconds.as_f64().context("not a time")
    }
}
