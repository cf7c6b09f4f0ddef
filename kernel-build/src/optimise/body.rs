//! The statements of a function's body and where control goes from each.

use std::collections::{BTreeMap, BTreeSet};

/// A statement: `@predicate opcode operands;`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'t> {
    /// The line, where nothing else stands in it.
    pub(super) line: Option<usize>,
    pub(super) is_predicated: bool,
    /// With its modifiers, such as `ld.global.nc.b32`.
    pub(super) opcode: &'t str,
    pub(super) operands: &'t str,
}

/// The body of a function.
#[derive(Debug, Default)]
pub(super) struct Body<'t> {
    /// Whether it is a kernel's.
    pub(super) is_entry: bool,
    /// Whether every statement ends in the line in which it begins, as LLVM writes them.
    is_understood: bool,
    pub(super) statements: Vec<Statement<'t>>,
    labels: BTreeMap<&'t str, usize>,
}

/// The bodies of a module's functions. LLVM puts the braces around a body at the beginning of lines, and no others.
pub(super) fn find<'t>(lines: &[&'t str]) -> Vec<Body<'t>> {
    let mut bodies = Vec::new();
    let mut open: Option<Body<'t>> = None;
    let mut is_entry = false;
    for (number, line) in lines.iter().enumerate() {
        match &mut open {
            Some(body) if line.starts_with('}') => {
                if body.is_understood {
                    bodies.push(std::mem::take(body));
                }
                open = None;
            }
            Some(body) => body.add(number, line),
            None if line.starts_with('{') => {
                open = Some(Body { is_entry, is_understood: true, ..Body::default() });
                is_entry = false;
            }
            None if line.contains(".entry") => is_entry = true,
            None if line.contains(".func") => is_entry = false,
            None => {}
        }
    }
    bodies
}

impl<'t> Body<'t> {
    fn add(&mut self, number: usize, line: &'t str) {
        let code = line.split("//").next().unwrap_or(line);
        let pieces: Vec<&str> = code.split(';').map(str::trim).filter(|piece| !piece.is_empty()).collect();
        let is_alone = pieces.len() == 1;
        self.is_understood &= code.trim_end().is_empty() || code.trim_end().ends_with([';', ':', '{', '}']);
        for mut piece in pieces {
            while let Some((label, rest)) = label(piece) {
                self.labels.insert(label, self.statements.len());
                piece = rest;
            }
            let text = piece.trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}');
            if text.is_empty() {
                continue;
            }
            // Braces of operands, such as vectors, were cut off at the end: then it stays as it is.
            let line = (is_alone && text.len() == piece.len()).then_some(number);
            self.statements.push(statement(line, text));
        }
    }

    /// Where control goes from a statement: `None` if that can't be said.
    pub(super) fn next(&self, at: usize) -> Option<Vec<usize>> {
        let statement = self.statements.get(at)?;
        let mut next = Vec::new();
        match statement.opcode.split('.').next() {
            Some("bra") => next.push(*self.labels.get(statement.operands)?),
            Some("brx") => return None,
            _ => {}
        }
        let falls = statement.is_predicated || !(statement.is_branch() || statement.is_end());
        if falls && at + 1 < self.statements.len() {
            next.push(at + 1);
        }
        Some(next)
    }

    /// The statements before which labels stand.
    pub(super) fn labelled(&self) -> BTreeSet<usize> {
        self.labels.values().copied().collect()
    }

    /// Whether labels stand before a statement.
    pub(super) fn is_labelled(&self, at: usize) -> bool {
        self.labels.values().any(|&place| place == at)
    }
}

impl Statement<'_> {
    pub(super) fn is_branch(&self) -> bool {
        self.opcode == "bra" || self.opcode.starts_with("bra.")
    }

    /// Whether the thread ends here, or returns.
    pub(super) fn is_end(&self) -> bool {
        self.opcode == "ret" || self.opcode.starts_with("ret.") || matches!(self.opcode, "exit" | "trap")
    }
}

/// `$L__BB0_1:` and what comes after it.
fn label(piece: &str) -> Option<(&str, &str)> {
    let (label, rest) = piece.split_once(':')?;
    let is_name = !label.is_empty()
        && !label.starts_with(['.', '@'])
        && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '%'));
    (is_name && !rest.starts_with(':')).then_some((label, rest.trim_start()))
}

/// A statement's operands, of which none is a vector.
pub(super) fn operands<'t>(statement: &Statement<'t>) -> Vec<&'t str> {
    statement.operands.split(',').map(str::trim).collect()
}

fn statement(line: Option<usize>, text: &str) -> Statement<'_> {
    let (predicate, text) = match text.strip_prefix('@') {
        Some(rest) => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        None => ("", text),
    };
    let text = text.trim_start();
    let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Statement { line, is_predicated: !predicate.is_empty(), opcode, operands: operands.trim() }
}
