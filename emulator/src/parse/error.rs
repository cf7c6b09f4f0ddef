//! What couldn't be understood, and where.

/// PTX that isn't understood: a mistake in the text, or something that this crate doesn't know.
///
/// ```
/// let error = gridwright_emulator::Module::parse(".version 7.0\n.target sm_80\n.wrong\n").unwrap_err();
/// assert_eq!(error.line(), 3);
/// assert!(error.to_string().contains(".wrong"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the PTX: {message}")]
pub struct ParseError {
    line: u32,
    message: String,
}

impl ParseError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// What wasn't understood, with its text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}
