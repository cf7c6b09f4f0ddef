//! Shifts on NVIDIA that a comparison guards: LLVM leaves the comparison to the instruction, which sees 32 bits of the amount only
//! (llvm-project PR 201165).

use super::{Change, Definitions, Lines, Names};
use crate::ir::{self, Instruction};

/// Hides from a selection that what it chooses beside zero is a shift, unless 32 bits or fewer are compared, and nothing else. The
/// register that it takes is one in PTX only.
pub(super) fn guard(
    select: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    let [condition, one, other] = select.choice()?;
    let is_right =
        |made: &Instruction<'_>| made.opcode == "icmp" && made.bits().is_some_and(|bits| bits <= 32);
    if definitions.of(condition).is_some_and(is_right) {
        return None;
    }
    let ((kind, one), (other_kind, other)) = (one.split_once(' ')?, other.split_once(' ')?);
    let is_shift =
        |operand: &str| definitions.of(operand).is_some_and(|d| matches!(d.opcode, "shl" | "lshr" | "ashr"));
    let shift = match (ir::constant(one), ir::constant(other)) {
        (None, Some(0)) if is_shift(one) => one,
        (Some(0), None) if is_shift(other) => other,
        _ => return None,
    };
    let (register, width) = match kind {
        "i64" => ("l", 64),
        "i32" => ("r", 32),
        "i16" => ("h", 16),
        _ => return None,
    };
    let hidden = names.next();
    let or_hidden = |operand| if operand == shift { hidden.as_str() } else { operand };
    let (one, other) = (or_hidden(one), or_hidden(other));
    let mut lines = Lines::default();
    lines.push(format_args!(
        "{hidden} = call {kind} asm \"mov.b{width} $0, $1;\", \"={register},{register}\"({kind} {shift})"
    ));
    lines.push(format_args!("{} = select i1 {condition}, {kind} {one}, {other_kind} {other}", select.result));
    Some(Change { form: "a guarded shift", lines })
}
