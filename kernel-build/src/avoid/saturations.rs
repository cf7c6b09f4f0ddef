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
            let before = format!(".reg .b32 %sum; xor.b32 \t%sum, {from}, -2147483648; ");
            changes.replace(statement, &before, &format!("min.u32 \t{to}, %sum, 2147483647;"));
            continue;
        }
        // The register may hold another number, too: in 64 bits nothing is lost.
        let before = format!(
            ".reg .b64 %wide<2>; cvt.s64.s32 \t%wide0, {from}; cvt.s64.s32 \t%wide1, {by}; sub.s64 \t%wide0, %wide0, %wide1; max.s64 \
             \t%wide0, %wide0, -2147483648; min.s64 \t%wide0, %wide0, 2147483647; "
        );
        changes.replace(statement, &before, &format!("cvt.u32.u64 \t{to}, %wide0;"));
    }
}

/// Whether a number is the smallest of 32 bits, however it is written.
fn is_smallest(number: i64) -> bool {
    matches!(number, -0x8000_0000 | 0x8000_0000)
}
