//! Collects findings of all host threads of a launch.

use std::collections::HashMap;

use super::{Finding, FindingKind};

#[derive(Debug)]
pub(crate) struct Collected {
    most: usize,
    pub(crate) findings: Vec<Finding>,
    pub(crate) total: u64,
    known: HashMap<(&'static str, u32, u32), usize>,
    pub(crate) output: String,
}

impl Collected {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, findings: Vec::new(), total: 0, known: HashMap::new(), output: String::new() }
    }

    /// Counts a finding at an instruction, and keeps the first.
    pub(crate) fn add(
        &mut self,
        kind: &FindingKind,
        position: u32,
        other: u32,
        make: impl FnOnce() -> Finding,
    ) {
        self.total += 1;
        let key = (kind.name(), position, other);
        if let Some(&index) = self.known.get(&key) {
            self.findings[index].count += 1;
        } else if self.findings.len() < self.most {
            self.known.insert(key, self.findings.len());
            self.findings.push(make());
        }
    }
}
