//! How a test of a suite ended, and the file that runners of modules write.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// How a test ended. The order is from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Passed,
    /// Failed, as the suite itself says that it does.
    Expected,
    Skipped,
    Failed,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Passed, Self::Expected, Self::Skipped, Self::Failed];

    pub(super) fn name(self) -> &'static str {
        ["passed", "expected", "skipped", "failed"][self as usize]
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) kind: Kind,
    /// What the test said, if it didn't pass.
    pub(super) said: String,
}

/// The tests of a module, by name.
pub(super) type Outcomes = BTreeMap<String, Outcome>;

/// A line of the file that a runner writes.
#[derive(Deserialize)]
struct Line {
    test: String,
    outcome: String,
    #[serde(default)]
    why: String,
}

/// What a runner has written so far.
pub(super) struct Written {
    pub(super) outcomes: Outcomes,
    /// The test that began last, if it never ended.
    pub(super) open: Option<String>,
    /// Whether the runner came to its end.
    pub(super) ended: bool,
}

impl Written {
    /// Reads a runner's file. One that isn't there has no tests: the runner may have crashed before.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = if path.exists() { fs_err::read_to_string(path)? } else { String::new() };
        let mut written = Self { outcomes: Outcomes::new(), open: None, ended: false };
        for line in text.lines() {
            let line: Line = serde_json::from_str(line).with_context(|| format!("in {}", path.display()))?;
            match line.outcome.as_str() {
                "started" => written.open = Some(line.test),
                "ended" => written.ended = true,
                name => {
                    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
                    let kind = kind.with_context(|| format!("an outcome {name}"))?;
                    written.open = None;
                    written.outcomes.insert(line.test, Outcome { kind, said: line.why });
                }
            }
        }
        Ok(written)
    }
}
