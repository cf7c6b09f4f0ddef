//! `0.0 - x` on AMD, which LLVM takes for `-x`: of `0.0` that has the other sign.

use super::text::{self, Instruction};
use super::{Change, Definitions, Lines, Names};

/// Subtracts from a zero that LLVM doesn't know to be one.
pub(super) fn keep_sign(
    difference: &Instruction<'_>,
    _: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    if difference.opcode != "fsub" {
        return None;
    }
    let (left, right) = difference.pair()?;
    let is_zero = left.starts_with("0.0")
        || left.starts_with("0x0000000000000000")
        || left == "0xH0000"
        || left == "zeroinitializer";
    let integer = match text::element(difference.kind) {
        ("float", None) => "i32",
        ("double", None) => "i64",
        _ => return None,
    };
    if !is_zero || difference.flags.iter().any(|flag| matches!(*flag, "nsz" | "fast")) {
        return None;
    }
    let mut lines = Lines::default();
    let mut zero = lines.opaque_zero(names);
    if integer == "i64" {
        let wide = names.next();
        lines.push(format_args!("{wide} = zext i32 {zero} to i64"));
        zero = wide;
    }
    let (float, kind) = (names.next(), difference.kind);
    let flags: String = difference.flags.iter().map(|flag| format!("{flag} ")).collect();
    lines.push(format_args!("{float} = bitcast {integer} {zero} to {kind}"));
    let attached = difference.attached();
    lines.push(format_args!("{} = fsub {flags}{kind} {float}, {right}{attached}", difference.result));
    Some(Change { form: "a float subtracted from zero", lines })
}
