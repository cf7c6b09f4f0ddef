//! A number that is 1.0 on one way and all ones on another.
//!
//! Comparisons give either of them for true, so ptxas takes them for the same, and keeps what was written first. Bytes that are filled
//! with a sign are no constant to it.

use super::{Changes, Function};

/// The bits of 1.0.
const ONE: i64 = 0x3f80_0000;

/// Fills a register with a sign where all ones meet 1.0.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let &[to, "-1" | "4294967295" | "0fFFFFFFFF"] = statement.operands.as_slice() else { continue };
        if matches!(statement.opcode, "mov.b32" | "mov.u32" | "mov.s32")
            && function.copies(to).iter().any(|copy| may_be_one(function, copy))
        {
            changes.replace(statement, "", &format!("prmt.b32 \t{to}, 128, 0, 0x8888;"));
        }
    }
}

fn may_be_one(function: &Function<'_>, register: &str) -> bool {
    function.may_be(register, |number| number == ONE)
}
