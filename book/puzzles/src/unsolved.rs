/// Why a puzzle isn't solved yet.
#[derive(Debug, thiserror::Error)]
pub enum Unsolved {
    /// The kernel wrote another value than was asked for.
    #[error("element {index} is {found}, and right is {right}")]
    Wrong {
        /// Number of the element, row after row.
        index: usize,
        /// The kernel's value.
        found: String,
        /// The value that was asked for.
        right: String,
    },
    /// The kernel didn't run to its end, or the emulator found a fault in it.
    #[error(transparent)]
    Failed(#[from] gridwright::Error),
}

impl Unsolved {
    /// Compares what a kernel wrote with what was asked for.
    ///
    /// # Errors
    /// [`Wrong`](Self::Wrong), of the first element that differs.
    pub(crate) fn compare<T: PartialEq + std::fmt::Debug>(found: &[T], right: &[T]) -> Result<(), Self> {
        match found.iter().zip(right).position(|(found, right)| found != right) {
            None => Ok(()),
            Some(index) => Err(Self::Wrong {
                index,
                found: format!("{:?}", found[index]),
                right: format!("{:?}", right[index]),
            }),
        }
    }
}
