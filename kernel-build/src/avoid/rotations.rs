//! Two shifts of a 64-bit number that are subtracted, or of which one keeps the sign.
//!
//! `(a << 31) - (a >> 33)` is no rotation, and neither is `(a << 8) + (a >> 56)` of a signed number: ptxas makes one of them. In halves
//! of 32 bits with a carry between them the same takes as many instructions, on chips that have no 64-bit addition.

use super::{Changes, Function};

/// A number that is shifted by a constant.
#[derive(Clone, Copy, Debug)]
struct Part {
    shift: Shift,
    amount: u32,
    is_subtracted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    Left,
    /// A shift to the right that fills with zeros.
    Right,
    /// A shift to the right that fills with the sign.
    SignedRight,
}

/// Adds and subtracts such numbers in halves.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let name = match statement.opcode {
            "sub.s64" | "sub.u64" => "sub",
            "add.s64" | "add.u64" => "add",
            _ => continue,
        };
        let &[to, a, b] = statement.operands.as_slice() else { continue };
        if is_form(&shifts(function, a, name == "sub"), &shifts(function, b, name == "sub")) {
            let before = format!(
                ".reg .b32 %avoid_low<2>, %avoid_high<2>; mov.b64 \t{{%avoid_low0, %avoid_high0}}, {a}; mov.b64 \t{{%avoid_low1, %avoid_high1}}, {b}; {name}.cc.u32 \t%avoid_low0, %avoid_low0, \
                 %avoid_low1; {name}c.u32 \t%avoid_high0, %avoid_high0, %avoid_high1; "
            );
            changes.replace(statement, &before, &format!("mov.b64 \t{to}, {{%avoid_low0, %avoid_high0}};"));
        }
    }
}

/// Whether two numbers may be taken for the parts of a rotation. That both are shifts of one number isn't asked: it may be known to
/// ptxas by another name.
fn is_form(a: &[Part], b: &[Part]) -> bool {
    let is_pair = |left: &Part, right: &Part| {
        let is_wrong = left.is_subtracted || right.is_subtracted || right.shift == Shift::SignedRight;
        left.shift == Shift::Left
            && right.shift != Shift::Left
            && left.amount + right.amount == 64
            && is_wrong
    };
    a.iter().any(|a| b.iter().any(|b| is_pair(a, b) || is_pair(b, a)))
}

/// The shifts that may make a number, or the number that it is the negation of.
fn shifts(function: &Function<'_>, register: &str, is_subtracted: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    for origin in function.origins(register) {
        let shift = match (origin.opcode, origin.operands.as_slice()) {
            ("neg.s64", &[_, from]) if !is_subtracted => {
                parts.extend(shifts(function, from, true));
                continue;
            }
            ("shl.b64", _) => Shift::Left,
            ("shr.u64" | "shr.b64", _) => Shift::Right,
            ("shr.s64", _) => Shift::SignedRight,
            _ => continue,
        };
        let amount = origin.operands.get(2).and_then(|amount| amount.parse().ok());
        parts.extend(amount.filter(|&amount| amount < 64).map(|amount| Part {
            shift,
            amount,
            is_subtracted,
        }));
    }
    parts
}
