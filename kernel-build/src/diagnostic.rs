//! What a stage reports beside its output. Stages return diagnostics and never print.

use std::fmt;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The build goes on, with less than was asked for.
    Warning,
    /// The build of the package stops.
    Error,
}

/// One problem, in words that say what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad the problem is.
    pub severity: Severity,
    /// What happened and what to do.
    pub message: String,
}

impl Diagnostic {
    /// A problem that the build survives.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into() }
    }

    /// A problem that stops the build of the package.
    pub fn error(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.message)
    }
}
