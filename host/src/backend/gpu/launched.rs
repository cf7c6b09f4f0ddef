use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The kernels that may have left something, each once.
#[derive(Debug, Default)]
pub(in crate::backend::gpu) struct Launched(Vec<&'static str>);

/// Kernels that are told apart, at most.
const MOST_LAUNCHED: usize = 8;

impl Launched {
    #[inline]
    pub(in crate::backend::gpu) fn add(&mut self, kernel: &'static str) {
        if self.0.last() != Some(&kernel) && self.0.len() < MOST_LAUNCHED && !self.0.contains(&kernel) {
            self.0.push(kernel);
        }
    }

    /// Forgets the kernels: all that was launched is done and told.
    pub(in crate::backend::gpu) fn clear(&mut self) {
        self.0.clear();
    }

    /// The kernel's name, or the names of those that it may be.
    pub(in crate::backend::gpu) fn name(&self) -> &'static str {
        match self.0.as_slice() {
            [] => "unknown",
            [kernel] => kernel,
            several => {
                let rest = if several.len() == MOST_LAUNCHED { " or another" } else { "" };
                interned(format!("{}{rest}", several.join(" or ")))
            }
        }
    }
}

/// A text for ever; each is kept once. There are as many as sets of kernels that ran side by side and panicked.
fn interned(text: String) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text.as_str()) {
        return known;
    }
    let text = text.leak();
    texts.insert(text);
    text
}
