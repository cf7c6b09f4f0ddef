//! Peers in Python: a process each.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use serde_json::json;
use tempfile::TempDir;

use super::contestant::Contestant;
use super::problem::{Problem, Values};
use super::process::Process;

/// Where the peers' sources are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/python");

/// A peer.
pub(crate) struct Python {
    process: Process,
    /// For arrays on their way.
    folder: TempDir,
    /// What the peer says that it is.
    pub(crate) version: String,
}

impl Python {
    /// Starts a peer: a file of [`FOLDER`], by an interpreter that has its packages.
    ///
    /// # Errors
    /// Where it doesn't start, or lacks a package.
    pub(crate) fn start(interpreter: &Path, file: &str, threads: usize) -> anyhow::Result<Self> {
        let threads = threads.to_string();
        let mut process = Process::start(
            Command::new(interpreter)
                .arg(Path::new(FOLDER).join(file))
                .env("NUMBA_NUM_THREADS", &threads)
                .env("OMP_NUM_THREADS", &threads)
                .env("TI_NUM_THREADS", &threads)
                .stderr(Stdio::null()),
        )?;
        let version = process.ask(&json!({ "ask": "version" }))?;
        let version = version.as_str().context("no version")?.to_owned();
        Ok(Self { process, folder: tempfile::tempdir()?, version })
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
        let has_one = self.process.ask(&json!({
            "ask": "prepare", "subject": problem.subject, "size": problem.size, "launches": problem.launches,
            "arrays": arrays, "results": problem.results, "scalars": problem.scalars,
        }))?;
        if has_one == json!(false) {
            return Ok(None);
        }
        Ok(Some(Box::new(InPython { python: self, problem })))
    }
}

struct InPython<'p> {
    python: &'p mut Python,
    problem: &'p Problem,
}

impl Contestant for InPython<'_> {
    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        let path = self.python.folder.path().join("results");
        self.python.process.ask(&json!({ "ask": "result", "path": path }))?;
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
        self.python.process.time(calls)
    }
}
