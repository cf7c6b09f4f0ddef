//! The statements of a function and where its registers are set.

use std::collections::BTreeMap;
use std::ops::Range;

/// A statement: `@predicate opcode operands;`.
#[derive(Clone, Debug)]
pub(super) struct Statement<'t> {
    /// Its bytes in the module, with the semicolon.
    pub(super) at: Range<usize>,
    /// With the `@`; empty if it is always executed.
    pub(super) predicate: &'t str,
    /// With its modifiers, such as `sub.s64`.
    pub(super) opcode: &'t str,
    pub(super) operands: Vec<&'t str>,
}

/// The body of a function.
#[derive(Debug, Default)]
pub(super) struct Function<'t> {
    pub(super) statements: Vec<Statement<'t>>,
    /// The statements that set a register.
    definitions: BTreeMap<&'t str, Vec<usize>>,
    /// The statements that read a register.
    uses: BTreeMap<&'t str, Vec<usize>>,
}

/// The functions of a module. LLVM puts the braces around a body at the beginning of lines, and no others.
pub(super) fn find(ptx: &str) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in ptx.split_inclusive('\n') {
        match open {
            None if line.starts_with('{') => open = Some(at),
            Some(start) if line.starts_with('}') => {
                functions.push(Function::read(ptx, start..at));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    functions
}

impl<'t> Function<'t> {
    fn read(ptx: &'t str, body: Range<usize>) -> Self {
        let mut function = Self::default();
        let mut at = body.start;
        while let Some(rest) = ptx.get(at..body.end).filter(|rest| !rest.is_empty()) {
            let blank =
                rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || "{};".contains(c)).len();
            if blank > 0 {
                at += blank;
            } else if let Some(skipped) = skipped(rest) {
                at += skipped;
            } else {
                let end = rest.find(';').map_or(rest.len(), |end| end + 1);
                function.add(statement(&rest[..end], at..at + end));
                at += end;
            }
        }
        function
    }

    fn add(&mut self, statement: Statement<'t>) {
        let place = self.statements.len();
        // A vector in front stands for several operands: all of them are set.
        let vector = statement.operands.iter().position(|operand| operand.ends_with('}'));
        let is_vector = statement.operands.first().is_some_and(|operand| operand.starts_with('{'));
        let set = vector.filter(|_| is_vector).map_or(1, |last| last + 1);
        for (number, operand) in statement.operands.iter().enumerate() {
            let table = if number < set { &mut self.definitions } else { &mut self.uses };
            for register in registers(operand) {
                table.entry(register).or_default().push(place);
            }
        }
        self.statements.push(statement);
    }

    /// The statements that a table has of a register.
    fn listed<'f>(
        &'f self,
        table: &'f BTreeMap<&'t str, Vec<usize>>,
        register: &str,
    ) -> impl Iterator<Item = &'f Statement<'t>> {
        table.get(register).into_iter().flatten().filter_map(|&at| self.statements.get(at))
    }

    /// What sets a register, looked at through copies.
    pub(super) fn origins(&self, register: &str) -> Vec<&Statement<'t>> {
        let mut origins = Vec::new();
        let mut open = vec![register];
        let mut at = 0;
        while let Some(register) = open.get(at) {
            for statement in self.listed(&self.definitions, register) {
                match copied(statement) {
                    Some((_, from)) if open.contains(&from) => {}
                    Some((_, from)) => open.push(from),
                    None => origins.push(statement),
                }
            }
            at += 1;
        }
        origins
    }

    /// What reads a register, looked at through copies.
    pub(super) fn readers(&self, register: &'t str) -> Vec<&Statement<'t>> {
        let mut readers = Vec::new();
        for copy in self.copies(register) {
            readers.extend(self.listed(&self.uses, copy).filter(|reader| copied(reader).is_none()));
        }
        readers
    }

    /// A register and those that it is copied to.
    pub(super) fn copies(&self, register: &'t str) -> Vec<&'t str> {
        let mut copies = vec![register];
        let mut at = 0;
        while let Some(register) = copies.get(at) {
            for statement in self.listed(&self.uses, register) {
                if let Some((to, _)) = copied(statement)
                    && !copies.contains(&to)
                {
                    copies.push(to);
                }
            }
            at += 1;
        }
        copies
    }

    /// Whether an operand is a number, or a register that holds it and may hold others.
    pub(super) fn may_be(&self, operand: &str, is: impl Fn(i64) -> bool) -> bool {
        match number(operand) {
            Some(number) => is(number),
            None => self.origins(operand).into_iter().filter_map(constant).any(is),
        }
    }

    /// Whether an operand is a number, or a register that holds it whatever way control took.
    pub(super) fn is_always(&self, operand: &str, expected: i64) -> bool {
        if let Some(number) = number(operand) {
            return number == expected;
        }
        let origins = self.origins(operand);
        !origins.is_empty() && origins.into_iter().all(|origin| constant(origin) == Some(expected))
    }
}

/// The number that a statement puts into a register.
fn constant(statement: &Statement<'_>) -> Option<i64> {
    match statement.operands.as_slice() {
        &[_, from] if statement.opcode.starts_with("mov.") => number(from),
        _ => None,
    }
}

/// The two registers of a copy.
fn copied<'t>(statement: &Statement<'t>) -> Option<(&'t str, &'t str)> {
    match statement.operands.as_slice() {
        &[to, from]
            if statement.opcode.starts_with("mov.") && to.starts_with('%') && from.starts_with('%') =>
        {
            Some((to, from))
        }
        _ => None,
    }
}

/// A constant; of a float its bits.
fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0f") {
        Some(bits) => i64::from_str_radix(bits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The bytes of a comment, a label or a directive without a semicolon, if the text begins with one.
fn skipped(text: &str) -> Option<usize> {
    let line = || text.find('\n').unwrap_or(text.len());
    if text.starts_with("//")
        || [".loc", ".file", ".section"].iter().any(|directive| text.starts_with(directive))
    {
        return Some(line());
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    let name = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '%')))?;
    let rest = text[name..].trim_start();
    (name > 0 && rest.starts_with(':') && !rest.starts_with("::")).then(|| text.len() - rest.len() + 1)
}

/// A statement of a text that ends with its semicolon.
fn statement(text: &str, at: Range<usize>) -> Statement<'_> {
    let text = text.trim_end_matches(';').trim_end();
    let (predicate, rest) = match text.starts_with('@') {
        true => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        false => ("", text),
    };
    let (opcode, operands) =
        rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim_start(), ""));
    Statement { at, predicate, opcode, operands: operands.split(',').map(str::trim).collect() }
}

fn registers(operand: &str) -> impl Iterator<Item = &str> {
    operand
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '%' | '_' | '$')))
        .filter(|word| word.starts_with('%'))
}
