//! How far approximate instructions are from the exact values.

/// What approximate instructions give. A GPU's results are between the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Approximations {
    /// The exact value, rounded to nearest.
    #[default]
    Nearest,
    /// The exact value, and in addition the largest error that the PTX ISA documents.
    Above,
    /// The exact value less that error.
    Below,
}
