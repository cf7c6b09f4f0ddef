//! Negated numbers in a maximum or minimum of three.
//!
//! `max(max(y, -x), z)` is one instruction on sm_90 to sm_103, and ptxas loses the sign of its second operand, whether that is `x`
//! itself, its magnitude or a third number. `-x` as `!(x - 1)` isn't a negation to it, and takes an instruction more.

use super::{Changes, Function, Statement};

/// Negates without a negation what goes into a maximum of three.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let (to, from) = match (statement.opcode, statement.operands.as_slice()) {
            ("neg.s32", &[to, from]) => (to, from),
            ("sub.s32" | "sub.u32", &[to, zero, from]) if function.is_always(zero, 0) => (to, from),
            _ => continue,
        };
        if !function.readers(to).iter().any(|reader| is_of_three(function, reader)) {
            continue;
        }
        let before = format!(".reg .b32 %avoid_less; add.s32 \t%avoid_less, {from}, -1; ");
        changes.replace(statement, &before, &format!("not.b32 \t{to}, %avoid_less;"));
    }
}

/// Whether a maximum may be one with another, or a minimum with another.
fn is_of_three(function: &Function<'_>, statement: &Statement<'_>) -> bool {
    let (Some(kind), &[to, a, b]) = (extremum(statement), statement.operands.as_slice()) else {
        return false;
    };
    let is_alike = |other: &Statement<'_>| extremum(other) == Some(kind);
    let is_made_of_one = |register| function.origins(register).into_iter().any(is_alike);
    function.readers(to).into_iter().any(is_alike) || is_made_of_one(a) || is_made_of_one(b)
}

fn extremum(statement: &Statement<'_>) -> Option<&'static str> {
    match statement.opcode {
        "max.s32" | "max.u32" => Some("max"),
        "min.s32" | "min.u32" => Some("min"),
        _ => None,
    }
}
