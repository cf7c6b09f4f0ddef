//! A light reading of the instructions of LLVM IR in text, one a line as LLVM prints them.

use std::collections::HashMap;

/// Words between an opcode and a type.
const FLAGS: [&str; 14] = [
    "nuw", "nsw", "exact", "disjoint", "samesign", "nneg", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
    "reassoc", "fast",
];

/// An instruction of the form `%result = opcode flags type operand, operand, …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction<'t> {
    pub(crate) result: &'t str,
    pub(crate) opcode: &'t str,
    /// The words before the type. Of `icmp` and `fcmp` the condition is the last.
    pub(crate) flags: Vec<&'t str>,
    /// The type of the first operand.
    pub(crate) kind: &'t str,
    /// Operands, and what is attached to the instruction, such as `!dbg !3`; those after the first with their types where they have some.
    pub(crate) operands: Vec<&'t str>,
}

impl<'t> Instruction<'t> {
    /// Reads a line; `None` where it has another form.
    pub(crate) fn read(line: &'t str) -> Option<Self> {
        let (result, rest) = name(line.strip_prefix("  ")?)?;
        let (opcode, mut rest) = word(rest.strip_prefix(" = ")?)?;
        let mut flags = Vec::new();
        while let Some((flag, after)) = word(rest)
            && (FLAGS.contains(&flag) || (matches!(opcode, "icmp" | "fcmp") && flags_condition(&flags)))
        {
            flags.push(flag);
            rest = after;
        }
        let (kind, rest) = kind(rest)?;
        let operands = split(rest);
        (!operands.is_empty()).then_some(Self { result, opcode, flags, kind, operands })
    }

    /// The two operands of an operation.
    pub(crate) fn pair(&self) -> Option<(&'t str, &'t str)> {
        match self.operands[..] {
            [left, right, ..] => Some((left, right)),
            _ => None,
        }
    }

    /// The condition of a choice between two values, and the values with their types.
    pub(crate) fn choice(&self) -> Option<[&'t str; 3]> {
        match self.operands[..] {
            [condition, one, other, ..] if self.opcode == "select" && self.kind == "i1" => {
                Some([condition, one, other])
            }
            _ => None,
        }
    }

    /// The bits of an integer, or of each integer of a vector.
    pub(crate) fn bits(&self) -> Option<u32> {
        bits(self.kind)
    }

    /// What stands behind the two operands, with its comma.
    pub(crate) fn attached(&self) -> String {
        self.operands.iter().skip(2).map(|text| format!(", {text}")).collect()
    }
}

/// Whether the condition of a comparison is still to come.
fn flags_condition(flags: &[&str]) -> bool {
    flags.iter().all(|flag| FLAGS.contains(flag))
}

/// How far back an operand is followed.
const DEPTH: u32 = 8;

/// The bits of the largest value of a call's `range(i32 0, 1024)`.
fn range(call: &str) -> Option<u32> {
    let (_, after) = call.split_once("range(")?;
    let (lowest, end) = after.split_once(')')?.0.split_once(' ')?.1.split_once(", ")?;
    let (lowest, end): (i128, i128) = (lowest.parse().ok()?, end.parse().ok()?);
    (lowest >= 0 && end > lowest).then(|| i128::BITS - (end - 1).leading_zeros())
}

/// The instructions of one function by the names of their results, and which use each.
#[derive(Debug, Default)]
pub(crate) struct Definitions<'t> {
    by_name: HashMap<&'t str, Instruction<'t>>,
    users: HashMap<&'t str, Vec<&'t str>>,
}

impl<'t> Definitions<'t> {
    pub(crate) fn read(lines: &[&'t str]) -> Self {
        let mut definitions = Self::default();
        for instruction in lines.iter().filter_map(|line| Instruction::read(line)) {
            for operand in &instruction.operands {
                let name = operand.rsplit(' ').next().unwrap_or(operand);
                definitions.users.entry(name).or_default().push(instruction.result);
            }
            definitions.by_name.insert(instruction.result, instruction);
        }
        definitions
    }

    /// What computes an operand, where it isn't a constant or an argument.
    pub(crate) fn of(&self, operand: &str) -> Option<&Instruction<'t>> {
        self.by_name.get(operand)
    }

    /// The most bits that an unsigned integer has, as far as that is certain here.
    pub(crate) fn most_bits(&self, operand: &str) -> u32 {
        self.bound(operand, DEPTH)
    }

    fn bound(&self, operand: &str, depth: u32) -> u32 {
        if let Some(number) = constant(operand) {
            return if number < 0 { u32::MAX } else { i128::BITS - number.leading_zeros() };
        }
        let (Some(made), Some(depth)) = (self.of(operand), depth.checked_sub(1)) else { return u32::MAX };
        let bound = |operand: &str| self.bound(operand, depth);
        let own = made.bits().unwrap_or(u32::MAX);
        let pair = || made.pair().unwrap_or(("", ""));
        match made.opcode {
            "zext" | "trunc" => own.min(made.operands[0].split(' ').next().map_or(u32::MAX, bound)),
            "and" => bound(pair().0).min(bound(pair().1)),
            "or" | "xor" => bound(pair().0).max(bound(pair().1)),
            "lshr" => {
                let amount = constant(pair().1).and_then(|amount| u32::try_from(amount).ok()).unwrap_or(0);
                own.min(bound(pair().0)).saturating_sub(amount)
            }
            "urem" => bound(pair().1).min(bound(pair().0)),
            "udiv" => bound(pair().0),
            "call" | "tail" => range(made.operands[0]).unwrap_or(u32::MAX),
            _ => u32::MAX,
        }
    }

    /// The instructions that have an operand, as far as they have a result and two operands or more.
    pub(crate) fn users(&self, operand: &str) -> impl Iterator<Item = &Instruction<'t>> {
        self.users.get(operand).into_iter().flatten().filter_map(|user| self.by_name.get(user))
    }
}

/// A local name at the beginning of a text, and the rest.
fn name(text: &str) -> Option<(&str, &str)> {
    let after = text.strip_prefix('%')?;
    let length = match after.strip_prefix('"') {
        Some(quoted) => quoted.find('"')? + 3,
        None => {
            after.find(|c: char| !(c.is_ascii_alphanumeric() || "-$._".contains(c))).unwrap_or(after.len())
                + 1
        }
    };
    Some(text.split_at(length))
}

fn word(text: &str) -> Option<(&str, &str)> {
    text.split_once(' ')
}

/// A type at the beginning of a text, and what stands behind the space.
fn kind(text: &str) -> Option<(&str, &str)> {
    let end = match text.strip_prefix('<') {
        Some(vector) => vector.find('>')? + 2,
        None => text.find(' ')?,
    };
    // Of a load the type ends in a comma.
    Some((text[..end].trim_end_matches(','), text.get(end + 1..)?))
}

/// Splits at commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The bits of an integer type, or of the elements of a vector of integers.
pub(crate) fn bits(kind: &str) -> Option<u32> {
    element(kind).0.strip_prefix('i')?.parse().ok()
}

/// The type of a vector's elements and how many there are; of another type itself.
pub(crate) fn element(kind: &str) -> (&str, Option<u32>) {
    let parts = kind.strip_prefix('<').and_then(|k| k.strip_suffix('>')).and_then(|k| k.split_once(" x "));
    match parts {
        Some((count, element)) => (element, count.parse().ok()),
        None => (kind, None),
    }
}

/// Whether an operand is written out: a number or a vector of numbers.
pub(crate) fn is_constant(operand: &str) -> bool {
    !operand.contains('%')
}

/// The value of an integer constant, or of a vector of one.
pub(crate) fn constant(operand: &str) -> Option<i128> {
    match operand.strip_prefix("splat (").and_then(|o| o.strip_suffix(')')) {
        Some(splat) => splat.split_once(' ')?.1.parse().ok(),
        None if operand == "zeroinitializer" => Some(0),
        None => operand.parse().ok(),
    }
}
