//! A sum or difference and one more or less on AMD, of which LLVM makes one instruction: whether that carries isn't whether the second
//! step did (llvm-project PR 204362).

use super::{Change, Definitions, Lines, Names};
use crate::ir::Instruction;

/// Keeps the first step apart where the second one's carry is looked at, and not its own: with both, as in long sums, one instruction
/// is right.
pub(super) fn apart(
    second: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    let opcode = second.opcode;
    if !matches!(opcode, "add" | "sub") || !matches!(second.kind, "i32" | "i64") {
        return None;
    }
    let (left, right) = second.pair()?;
    let is_carry = |operand: &str| {
        definitions
            .of(operand)
            .is_some_and(|made| matches!(made.opcode, "zext" | "sext") && made.kind == "i1")
    };
    let first = match (is_carry(left), is_carry(right)) {
        (_, true) => definitions.of(left)?,
        (true, _) if opcode == "add" => definitions.of(right)?,
        _ => return None,
    };
    let compares = |operand: &str| definitions.users(operand).any(|user| user.opcode == "icmp");
    let own = first.pair()?;
    let compares_own = definitions.users(first.result).any(|user| {
        let operands = user.pair().unwrap_or(("", ""));
        user.opcode == "icmp" && [own.0, own.1].iter().any(|o| *o == operands.0 || *o == operands.1)
    });
    if first.opcode != opcode || compares_own || !(compares(second.result) || compares(first.result)) {
        return None;
    }
    let mut lines = Lines::default();
    let mut zero = lines.opaque_zero(names);
    if second.kind == "i64" {
        let wide = names.next();
        lines.push(format_args!("{wide} = zext i32 {zero} to i64"));
        zero = wide;
    }
    let hidden = names.next();
    let kind = second.kind;
    let or_hidden = |operand| if operand == first.result { hidden.as_str() } else { operand };
    let (left, right, attached) = (or_hidden(left), or_hidden(right), second.attached());
    lines.push(format_args!("{hidden} = or {kind} {}, {zero}", first.result));
    lines.push(format_args!("{} = {opcode} {kind} {left}, {right}{attached}", second.result));
    Some(Change { form: "a carry of a second sum", lines })
}
