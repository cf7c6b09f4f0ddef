//! `0.0 - x` of `f32` and of half floats on AMD, which LLVM takes for `-x` where that is an operand: of `0.0` it has the other sign.

use super::{Change, Definitions, Lines, Names};
use crate::ir::{self, Instruction};

/// Subtracts from a zero that LLVM doesn't know to be one.
pub(super) fn keep_sign(
    difference: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    let (left, right) = difference.pair()?;
    let (left, right) = match difference.opcode {
        "fsub" => (left, right),
        // `-x + 0.0` is the same.
        "fadd" => (right, negated(left, definitions)?),
        _ => return None,
    };
    let is_zero = left.starts_with("0.0")
        || left.starts_with("0x0000000000000000")
        || left == "0xH0000"
        || left == "zeroinitializer";
    let integer = match ir::element(difference.kind) {
        ("float", None) => "i32",
        ("half", None) => "i16",
        _ => return None,
    };
    if !is_zero || difference.flags.iter().any(|flag| matches!(*flag, "nsz" | "fast")) {
        return None;
    }
    let mut lines = Lines::default();
    let mut zero = lines.opaque_zero(names);
    if integer == "i16" {
        let half = names.next();
        lines.push(format_args!("{half} = trunc i32 {zero} to i16"));
        zero = half;
    }
    let (float, kind) = (names.next(), difference.kind);
    let flags: String = difference.flags.iter().map(|flag| format!("{flag} ")).collect();
    lines.push(format_args!("{float} = bitcast {integer} {zero} to {kind}"));
    let attached = difference.attached();
    lines.push(format_args!("{} = fsub {flags}{kind} {float}, {right}{attached}", difference.result));
    Some(Change { form: "a float subtracted from zero", lines })
}

/// The float that an operand is the negation of.
fn negated<'t>(operand: &str, definitions: &Definitions<'t>) -> Option<&'t str> {
    let made = definitions.of(operand).filter(|made| made.opcode == "fneg")?;
    made.operands.first().copied()
}
