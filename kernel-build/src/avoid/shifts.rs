//! A signed shift of a number whose sign is known to be set.
//!
//! ptxas takes what is shifted in for zeros, and answers comparisons with the result from that. LLVM shifts such a number without its
//! sign, where it knows. The upper bits of a field are moved as a shift does, in one instruction.

use super::{Changes, Function};

/// Shifts such numbers as fields of bits.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let &[to, from, amount] = statement.operands.as_slice() else { continue };
        let Some(amount) = amount.parse::<u32>().ok().filter(|amount| (1..32).contains(amount)) else {
            continue;
        };
        if statement.opcode == "shr.s32" && is_negative(function, from) {
            let width = 32 - amount;
            changes.replace(statement, "", &format!("bfe.s32 \t{to}, {from}, {amount}, {width};"));
        }
    }
}

/// Whether bits that are set are known to be in a number, the sign perhaps among them.
fn is_negative(function: &Function<'_>, register: &str) -> bool {
    function.origins(register).iter().any(|origin| match (origin.opcode, origin.operands.as_slice()) {
        ("not.b32", _) => true,
        ("or.b32" | "xor.b32", &[_, a, b]) => {
            [a, b].iter().any(|side| function.may_be(side, |n| !(0..1 << 31).contains(&n)))
        }
        _ => false,
    })
}
