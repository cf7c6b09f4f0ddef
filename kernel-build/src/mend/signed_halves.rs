//! `i16` shifted to the right by 8 on AMD's gfx9, of which LLVM makes an operand that is a byte of a register with its sign: the sign
//! fills 32 bits where the shift's result has zeros above its 16 (llvm-project PR 198491).

use super::{Change, Definitions, Lines, Names, each_element};
use crate::ir::{self, Instruction};

const FORM: &str = "an `i16` shifted by 8";

/// Shifts by a number that LLVM doesn't know to be 8.
pub(super) fn hide(shift: &Instruction<'_>, _: &Definitions<'_>, names: &mut Names) -> Option<Change> {
    let (kind, count) = ir::element(shift.kind);
    // Two halves together are shifted by one instruction, which has no such operands.
    let is_alone = count.is_none_or(|count| count % 2 == 1);
    let (left, amount) = shift.pair()?;
    if shift.opcode != "ashr" || kind != "i16" || !is_alone || ir::constant(amount) != Some(8) {
        return None;
    }
    let mut lines = Lines::default();
    let [wide, eight] = std::array::from_fn(|_| names.next());
    lines.push(format_args!("{wide} = call i32 asm \"s_movk_i32 $0, 8\", \"=s\"()"));
    lines.push(format_args!("{eight} = trunc i32 {wide} to i16"));
    let hidden = Instruction { operands: vec![left, left], ..shift.clone() };
    each_element(&hidden, names, &mut lines, |[value, _], result, _, lines| {
        lines.push(format_args!("{result} = ashr i16 {value}, {eight}"));
        Some(())
    })?;
    Some(Change { form: FORM, lines })
}

/// Divides by a constant in 32 bits, as such a shift may be a part of it.
pub(super) fn widen(division: &Instruction<'_>, _: &Definitions<'_>, names: &mut Names) -> Option<Change> {
    let (opcode, (_, divisor)) = (division.opcode, division.pair()?);
    let is_signed = matches!(opcode, "sdiv" | "srem");
    if !is_signed || ir::element(division.kind).0 != "i16" || !ir::is_constant(divisor) {
        return None;
    }
    let mut lines = Lines::default();
    each_element(division, names, &mut lines, |[dividend, divisor], result, names, lines| {
        let [x, y, wide] = std::array::from_fn(|_| names.next());
        lines.push(format_args!("{x} = sext i16 {dividend} to i32"));
        lines.push(format_args!("{y} = sext i16 {divisor} to i32"));
        lines.push(format_args!("{wide} = {opcode} i32 {x}, {y}"));
        lines.push(format_args!("{result} = trunc i32 {wide} to i16"));
        Some(())
    })?;
    Some(Change { form: "an `i16` divided by a constant", lines })
}
