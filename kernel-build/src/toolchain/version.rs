//! What a compiler says about itself, and which compilers are tested.

use std::fmt;
use std::path::Path;
use std::process::Command;

/// The release whose nightlies are tested, by its first two numbers: library internals and flags change with each.
const TESTED_RELEASE: (u32, u32) = (1, 97);

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
    ///
    /// ```
    /// let version = gridwright_build::Version { release: "1.97.0-nightly".into(), date: "2026-05-19".into() };
    /// assert!(version.is_tested());
    /// ```
    pub fn is_tested(&self) -> bool {
        self.unstable_release() == Some(TESTED_RELEASE)
    }

    /// Whether it is a nightly of a release after the tested one.
    pub(super) fn is_newer(&self) -> bool {
        self.unstable_release().is_some_and(|release| release > TESTED_RELEASE)
    }

    /// The first two numbers of the release, of a compiler that takes unstable flags.
    fn unstable_release(&self) -> Option<(u32, u32)> {
        let (number, channel) = self.release.split_once('-')?;
        let mut numbers = number.split('.').map(|part| part.parse().ok());
        let release = (numbers.next()??, numbers.next()??);
        matches!(channel, "nightly" | "dev").then_some(release)
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
