//! Negation and magnitude of 16-bit numbers.
//!
//! ptxas does both in 32 bits and takes the result for one that is extended already. It isn't for -32768, whose negation has 17 bits:
//! widened or compared it is 32768. Done in 32 bits by us, the result is cut before it is used.

use super::{Changes, Function, Statement};

/// Negates in 32 bits, unless all that reads the result cuts it to 16 bits anyway.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let (name, to, from) = match (statement.opcode, statement.operands.as_slice()) {
            ("neg.s16", &[to, from]) => ("neg", to, from),
            ("abs.s16", &[to, from]) => ("abs", to, from),
            ("sub.s16" | "sub.u16", &[to, zero, from]) if function.is_always(zero, 0) => ("neg", to, from),
            _ => continue,
        };
        let readers = function.readers(to);
        if !readers.is_empty() && readers.into_iter().all(cuts) {
            continue;
        }
        let before = format!(
            ".reg .b32 %avoid_wide; cvt.s32.s16 \t%avoid_wide, {from}; {name}.s32 \t%avoid_wide, %avoid_wide; "
        );
        changes.replace(statement, &before, &format!("cvt.u16.u32 \t{to}, %avoid_wide;"));
    }
}

/// Whether a statement asks for 16 bits of its operands, whatever stands above them.
fn cuts(reader: &Statement<'_>) -> bool {
    let operations = ["add.s16", "add.u16", "sub.s16", "sub.u16", "mul.lo.s16", "mul.lo.u16", "shl.b16"];
    operations.contains(&reader.opcode) || reader.opcode.starts_with("st.")
}
