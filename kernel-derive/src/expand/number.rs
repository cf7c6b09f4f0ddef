//! Numbers for names that have to differ in a crate. A macro knows neither its module nor what else is expanded, but one process
//! expands all macros of a crate.

/// A number that no other macro call of this compiler run gets; 0 in tests, whose expansions are compared.
pub(super) fn next() -> usize {
    #[cfg(not(test))]
    {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        NUMBER.fetch_add(1, Ordering::Relaxed)
    }
    #[cfg(test)]
    0
}
