//! The smallest number, subtracted with saturation: ptxas adds it.

use super::{Changes, Function};

/// Subtracts it by a minimum: the sum of both, without a sign, is above the largest number exactly where the difference saturates.
pub(super) fn avoid(function: &Function<'_>, changes: &mut Changes) {
    for statement in &function.statements {
        let &[to, from, by] = statement.operands.as_slice() else { continue };
        if statement.opcode != "sub.sat.s32" || !function.may_be(by, is_smallest) {
            continue;
        }
        if by.parse::<i64>().is_ok() {
            let before = format!(".reg .b32 %avoid_sum; xor.b32 \t%avoid_sum, {from}, -2147483648; ");
            changes.replace(statement, &before, &format!("min.u32 \t{to}, %avoid_sum, 2147483647;"));
            continue;
        }
        // The register may hold another number, too: the difference is wrong where its sign is neither that of the first number nor what
        // the second one's would make of it.
        let before = format!(
            ".reg .b32 %avoid_t<4>; .reg .pred %avoid_wraps; sub.s32 \t%avoid_t0, {from}, {by}; xor.b32 \t%avoid_t1, {from}, {by}; xor.b32 \t%avoid_t2, {from}, %avoid_t0; \
             and.b32 \t%avoid_t1, %avoid_t1, %avoid_t2; setp.lt.s32 \t%avoid_wraps, %avoid_t1, 0; shr.s32 \t%avoid_t3, {from}, 31; xor.b32 \t%avoid_t3, %avoid_t3, 2147483647; "
        );
        changes.replace(statement, &before, &format!("selp.b32 \t{to}, %avoid_t3, %avoid_t0, %avoid_wraps;"));
    }
}

/// Whether a number is the smallest of 32 bits, however it is written.
fn is_smallest(number: i64) -> bool {
    matches!(number, -0x8000_0000 | 0x8000_0000)
}
