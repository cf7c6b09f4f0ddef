//! A maximum with 0.0 of a minimum with 1.0: ptxas makes it one instruction that gives 0.0 for NaN, where the minimum gives 1.0.

use super::{Changes, Function, Statement};

/// 0.0 and 1.0, as LLVM writes them.
const ZERO: &str = "0f00000000";
const ONE: &str = "0f3F800000";

/// Takes the maximum of the bits as numbers with a sign: of floats below 0.0 they are below 0, and the others' are in the floats' order.
/// A register that is set in several places may hold NaN, too, of which the maximum is 0.0.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let &[to, a, b] = statement.operands.as_slice() else { continue };
        if statement.opcode != "max.f32" {
            continue;
        }
        let from = match (a, b) {
            (from, ZERO) | (ZERO, from) => from,
            _ => continue,
        };
        let is_minimum = |origin: &&Statement<'_>| {
            origin.opcode == "min.f32" && origin.operands.iter().skip(1).any(|&operand| operand == ONE)
        };
        if !function.origins(from).iter().any(is_minimum) {
            continue;
        }
        let before = format!(
            ".reg .b32 %avoid_bits; .reg .pred %avoid_number; mov.b32 \t%avoid_bits, {from}; max.s32 \t%avoid_bits, %avoid_bits, 0; \
             setp.num.f32 \t%avoid_number, {from}, {from}; selp.b32 \t%avoid_bits, %avoid_bits, 0, %avoid_number; "
        );
        changes.replace(statement, &before, &format!("mov.b32 \t{to}, %avoid_bits;"));
    }
}
