//! Ours on one thread, which tells how far two are twice as fast. It is in a process of its own, as a process has one pool of threads.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

use anyhow::Context;
use gridwright::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::contestant::Contestant;
use super::process::Process;
use super::rows;

/// What a record calls it.
pub(crate) const NAME: &str = "Gridwright, one thread";

/// This program in a process that [answers](answer).
struct OneThread {
    process: Process,
    /// For results on their way.
    folder: TempDir,
}

/// Who takes part in a row.
///
/// # Errors
/// Where the process doesn't start.
pub(crate) fn enter(row: &str) -> anyhow::Result<Box<dyn Contestant>> {
    let mut command = Command::new(env::current_exe()?);
    let process = Process::start(command.args(["--answer", row]).env("GRIDWRIGHT_CPU_THREADS", "1"))?;
    Ok(Box::new(OneThread { process, folder: tempfile::tempdir()? }))
}

impl Contestant for OneThread {
    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        let path = self.folder.path().join("results");
        self.process.ask(&json!({ "ask": "result", "path": path }))?;
        let bytes = fs::read(&path)?;
        Ok(bytes.as_chunks().0.iter().copied().map(f64::from_ne_bytes).collect())
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        self.process.time(calls)
    }
}

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request {
    Time { calls: u32 },
    Result { path: PathBuf },
}

/// Answers what standard input asks of ours in a row, until it ends.
///
/// # Errors
/// Where ours fails, or somebody else asks.
pub(crate) fn answer(row: &str) -> anyhow::Result<()> {
    let mut ours = rows::enter(row, &Device::cpu()?)?.ours;
    for line in io::stdin().lines() {
        let value = match serde_json::from_str(&line?).context("not a request")? {
            Request::Time { calls } => json!(ours.time(calls)?),
            Request::Result { path } => {
                let bytes: Vec<u8> = ours.result()?.iter().flat_map(|value| value.to_ne_bytes()).collect();
                fs::write(path, bytes)?;
                Value::Null
            }
        };
        println!("{}", json!({ "value": value }));
    }
    Ok(())
}
