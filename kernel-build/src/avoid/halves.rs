//! Negation and magnitude of 16-bit numbers.
//!
//! ptxas does both in 32 bits and takes the result for one that is extended already. It isn't for -32768, whose negation has 17 bits:
//! widened or compared it is 32768. Done in 32 bits by us, the result is cut before it is used.

use super::{Changes, Function};

/// Negates in 32 bits. A register that may hold 0 may hold another number too, so what is subtracted from it still is.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let (to, from, operation) = match (statement.opcode, statement.operands.as_slice()) {
            ("neg.s16", &[to, from]) => (to, from, "neg.s32 \t%avoid_wide, %avoid_wide; ".to_owned()),
            ("abs.s16", &[to, from]) => (to, from, "abs.s32 \t%avoid_wide, %avoid_wide; ".to_owned()),
            ("sub.s16" | "sub.u16", &[to, zero, from]) if function.may_be(zero, |n| n == 0) => {
                let subtracted = if zero.starts_with('%') {
                    format!(
                        ".reg .b32 %avoid_other; cvt.s32.s16 \t%avoid_other, {zero}; sub.s32 \t%avoid_wide, %avoid_other, %avoid_wide; "
                    )
                } else {
                    "neg.s32 \t%avoid_wide, %avoid_wide; ".to_owned()
                };
                (to, from, subtracted)
            }
            _ => continue,
        };
        let before = format!(".reg .b32 %avoid_wide; cvt.s32.s16 \t%avoid_wide, {from}; {operation}");
        changes.replace(statement, &before, &format!("cvt.u16.u32 \t{to}, %avoid_wide;"));
    }
}
