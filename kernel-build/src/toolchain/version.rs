//! What a compiler says about itself, and which compilers are tested.

use std::fmt;
use std::path::Path;
use std::process::Command;

/// The release whose nightlies are tested: library internals and flags change with each.
const TESTED_RELEASE: &str = "1.97.";

/// The tested nightlies, for messages.
pub(super) const TESTED: &str = "the nightlies of 1.97";

/// A compiler's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The release, such as `1.97.0-nightly`.
    pub release: String,
    /// The date of the last commit, such as `2026-05-19`; empty for a compiler that doesn't say.
    pub date: String,
}

impl Version {
    /// Asks a compiler; `None` where there is none that answers.
    pub(super) fn of(rustc: &Path) -> Option<Self> {
        if !rustc.is_file() {
            return None;
        }
        let output = Command::new(rustc).arg("-vV").output().ok().filter(|o| o.status.success())?;
        Self::parse(&String::from_utf8_lossy(&output.stdout))
    }

    /// Reads the answer to `rustc -vV`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let field =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(|v| v.trim().to_owned());
        let date = field("commit-date:").filter(|d| d != "unknown").unwrap_or_default();
        Some(Self { release: field("release:")?, date })
    }

    /// Whether the version is in the tested range.
    pub(crate) fn is_tested(&self) -> bool {
        let unstable = self.release.ends_with("-nightly") || self.release.ends_with("-dev");
        unstable && self.release.starts_with(TESTED_RELEASE)
    }

    /// The release without its channel, such as `1.97.0`.
    pub(super) fn number(&self) -> &str {
        self.release.split('-').next().unwrap_or(&self.release)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rustc {}", self.release)?;
        if self.date.is_empty() { Ok(()) } else { write!(f, " of {}", self.date) }
    }
}
