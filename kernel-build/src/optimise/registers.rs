//! Where registers are set.

use std::collections::BTreeMap;

use super::body::{Body, Statement, operands};

/// The statements that set each register of a body.
#[derive(Debug)]
pub(super) struct Registers<'b, 't> {
    body: &'b Body<'t>,
    /// How many statements set a register, and the last of them.
    set: BTreeMap<&'t str, (usize, usize)>,
    /// How often registers are named, where they are set too.
    named: BTreeMap<&'t str, usize>,
}

impl<'b, 't> Registers<'b, 't> {
    pub(super) fn of(body: &'b Body<'t>) -> Self {
        let mut set: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, statement) in body.statements.iter().enumerate() {
            registers(statement.operands).for_each(|register| *named.entry(register).or_default() += 1);
            for register in defined(statement) {
                let (count, last) = set.entry(register).or_default();
                (*count, *last) = (*count + 1, at);
            }
        }
        Self { body, set, named }
    }

    /// Whether a register is set in one place: it holds there what it holds wherever it is used, since that place comes before
    /// all uses.
    pub(super) fn is_constant(&self, register: &str) -> bool {
        self.set.get(register).is_some_and(|&(count, _)| count == 1)
    }

    /// The statement that sets a register, if one alone does, in all cases.
    pub(super) fn place(&self, register: &str) -> Option<usize> {
        let &(count, at) = self.set.get(register)?;
        (count == 1 && !self.body.statements.get(at)?.is_predicated).then_some(at)
    }

    /// The opcode and the operands of that statement.
    pub(super) fn definition(&self, register: &str) -> Option<(&'t str, Vec<&'t str>)> {
        let statement = self.body.statements.get(self.place(register)?)?;
        Some((statement.opcode, operands(statement)))
    }

    /// How often a register that one statement sets is used.
    pub(super) fn uses(&self, register: &str) -> usize {
        self.named.get(register).map_or(0, |named| named.saturating_sub(1))
    }
}

/// The registers that a statement may set: all in front of its first comma, and all of a vector.
fn defined<'t>(statement: &Statement<'t>) -> Vec<&'t str> {
    let operands = statement.operands;
    let end = match (operands.find('}'), operands.find(',')) {
        (Some(brace), _) if operands.starts_with('{') => brace,
        (_, Some(comma)) => comma,
        _ => operands.len(),
    };
    registers(&operands[..end]).collect()
}

/// The registers that a text names.
fn registers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '%' | '_' | '$')));
    words.filter(|word| word.starts_with('%'))
}
