//! A runner of Python's that writes what happens to a file, started again after crashes, with a limit.

use std::path::{Path, PathBuf};

use super::outcome::{Kind, Outcome, Outcomes, Written};
use crate::call::Call;

/// Longest time for a module, in seconds. A run that goes on after a crash has it anew.
const LIMIT: &str = "600";

/// How often a module is started: each crash costs one.
const STARTS: usize = 60;

/// What `timeout` ends with if the limit was reached.
const OUT_OF_TIME: i32 = 124;

/// What a runner ends with that asks for another start: an error stays in its process.
const AGAIN: i32 = 75;

/// Where a module's outcomes are, and what it printed.
pub(super) struct Files {
    pub(super) outcomes: PathBuf,
    /// What the program printed.
    pub(super) log: PathBuf,
}

impl Files {
    /// In a folder for findings taken in one way. What an earlier run left is removed, unless this one resumes it.
    pub(super) fn new(folder: &Path, checks: &str, module: &str, resume: bool) -> anyhow::Result<Self> {
        let folder = folder.join(checks);
        fs_err::create_dir_all(&folder)?;
        let [outcomes, log] = ["jsonl", "log"].map(|end| folder.join(format!("{module}.{end}")));
        let files = Self { outcomes, log };
        for earlier in [&files.outcomes, &files.log].into_iter().filter(|file| file.exists() && !resume) {
            fs_err::remove_file(earlier)?;
        }
        Ok(files)
    }
}

/// Runs a program with a limit; answers its exit code, if it wasn't ended by a signal.
pub(super) fn with_limit(call: Call, log: &Path) -> anyhow::Result<Option<i32>> {
    Ok(call.within(LIMIT).run_into(log)?.code())
}

/// Runs a module to its end: a test during which the runner crashes has failed, and the next start does the rest.
pub(super) fn to_the_end(files: &Files, call: &Call) -> anyhow::Result<Outcomes> {
    let earlier = Written::read(&files.outcomes)?;
    if earlier.ended {
        return Ok(earlier.outcomes);
    }
    let mut lost = Outcomes::new();
    for _ in 0..STARTS {
        let code = with_limit(call.clone(), &files.log)?;
        let written = Written::read(&files.outcomes)?;
        if written.ended {
            break;
        }
        if code == Some(AGAIN) {
            continue;
        }
        let said = match code {
            Some(OUT_OF_TIME) => format!("no end after {LIMIT} s"),
            Some(code) => format!("the process ended with {code}"),
            None => "the process ended by a signal".to_owned(),
        };
        let test = written.open.unwrap_or_else(|| "(start)".to_owned());
        let again = lost.insert(test, Outcome { kind: Kind::Failed, said }).is_some();
        // A second crash at one place, or time that is out, would only come again.
        if again || code == Some(OUT_OF_TIME) {
            break;
        }
    }
    let mut outcomes = Written::read(&files.outcomes)?.outcomes;
    outcomes.extend(lost);
    Ok(outcomes)
}
